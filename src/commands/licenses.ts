import { type Notice, notices } from "../kernel/notices.ts"
import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"

export const licenses = defineCommand({
  name: "licenses",
  summary: "Print the licences of the packages inside",
  options: {},
  async run(io, args) {
    answer(
      io,
      args,
      { packages: notices ?? [] },
      notices ? sayAll(notices) : "Each package is in node_modules, with its licence.",
    )
    return 0
  },
})

function sayAll(all: readonly Notice[]): string {
  const each = all.map(({ name, version, license, text }) =>
    [`${name} ${version} (${license})`, text].filter((part) => part).join("\n\n"),
  )
  return [`${introduction}\n`, ...each].join(`\n${"-".repeat(72)}\n`)
}

const introduction = `Mailstead is built with the packages below, and runs on Bun, whose licence and those of what it is made of
stand at https://bun.com/docs/project/license.`
