import { parseId } from "../kernel/ids.ts"
import { presentListed } from "../modules/projects/index.ts"
import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"
import { onData } from "./settings.ts"

export const projectCreate = defineCommand({
  name: "project create",
  summary: "Create a project and print its keys",
  words: ["NAME"],
  options: {},
  async run(io, args) {
    const project = await onData(io, args, ({ accounts }) => accounts.createProjectFor(args.words.NAME), {
      makes: true,
    })
    const { id, name, publicKey, secret } = project
    const shown = { id, name, public: publicKey, secret }
    answer(io, args, shown, `Project ${name} (${id})\n  Public key  ${publicKey}\n  Secret key  ${secret}`)
    return 0
  },
})

export const projectList = defineCommand({
  name: "project list",
  summary: "List the projects",
  options: {},
  async run(io, args) {
    const list = (await onData(io, args, ({ projects }) => projects.list(), { reads: true })).map(presentListed)
    const lines = list.map(
      ({ id, name, public: key, disabled }) => `${id}  ${name}${disabled ? " (disabled)" : ""}  ${key}`,
    )
    answer(io, args, list, lines.join("\n") || "No projects yet: mailstead project create NAME")
    return 0
  },
})

/** The id of a project as it was written (contract A1.1.1); a malformed one is that of no project. */
export const projectIdIn = (written: string): string => parseId(written) ?? written

/**
 * `project disable` and `project enable`: a running server acts on it with its next request and signal. Mail that waits has
 * ended when the command returns (contract B9.4.5).
 */
const projectSwitch = (verb: "disable" | "enable", summary: string) =>
  defineCommand({
    name: `project ${verb}`,
    summary,
    words: ["ID"],
    options: {},
    async run(io, args) {
      const project = await onData(io, args, async ({ projects, emails }) => {
        const id = projectIdIn(args.words.ID)
        await projects.setDisabled(id, verb === "disable" ? "MANUAL" : null)
        if (verb === "disable") await emails.endMailOfDisabled(id)
        return projects.get(id)
      })
      answer(io, args, presentListed(project), `${project.name} is ${verb}d.`)
      return 0
    },
  })

export const projectDisable = projectSwitch("disable", "Stop a project: its keys, its waiting mail and its campaigns")
export const projectEnable = projectSwitch("enable", "Let a disabled project work again; what was ended stays ended")
