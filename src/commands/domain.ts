import { presentDomain } from "../modules/domains/index.ts"
import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"
import { projectIdIn } from "./project.ts"
import { onData } from "./settings.ts"

export const domainAdd = defineCommand({
  name: "domain add",
  summary: "Add a sender domain to a project",
  words: ["DOMAIN"],
  options: {
    project: { value: "ID", help: "The project that sends from it", required: true },
    verified: {
      help: "Verify the domain without DNS look-ups, now and later; its mail is not signed",
    },
  },
  async run(io, args) {
    const { project, verified } = args.options
    const added = await onData(io, args, async ({ projects, domains }) => {
      const { id } = await projects.get(projectIdIn(project))
      return domains.withRecords(await domains.add(id, args.words.DOMAIN, { vouched: verified === true }))
    })
    const shown = presentDomain(added)
    const state = shown.verified
      ? "verified on your word: its mail is not signed"
      : "registered, not yet verified: its page in the dashboard shows the DNS records to publish"
    answer(io, args, shown, `${shown.domain} is ${state}.`)
    return 0
  },
})

export const domainRotateKey = defineCommand({
  name: "domain rotate-key",
  summary: "Replace the DKIM keys of a domain, in steps",
  words: ["DOMAIN"],
  options: { project: { value: "ID", help: "The project that sends from it", required: true } },
  async run(io, args) {
    const rotated = await onData(io, args, async ({ projects, domains }) => {
      const { id } = await projects.get(projectIdIn(args.options.project))
      return domains.rotateKeys(id, (await domains.named(id, args.words.DOMAIN)).id)
    })
    const shown = presentDomain(rotated)
    const records = shown.records.filter(({ rotation }) => rotation === "next")
    const lines = records.map(({ name, type, value }) => `  ${name}  ${type}  ${value}`)
    answer(io, args, shown, ["Publish these records. They are used as soon as they are found.", ...lines].join("\n"))
    return 0
  },
})
