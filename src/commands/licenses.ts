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
      notices ? textOfAll(notices) : "Each package is in node_modules, with its licence.",
    )
    return 0
  },
})

function textOfAll(all: readonly Notice[]): string {
  const each = all.map(({ name, version, license, text }) => [`${name} ${version} (${license})`, text].join("\n\n"))
  return [`${introduction}\n`, ...each].join(`\n${"-".repeat(72)}\n`)
}

const introduction = "Mailstead runs on Bun and is built with the packages below."
