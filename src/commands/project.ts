import { withModules } from "../app.ts"
import { presentListed } from "../modules/projects/index.ts"
import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"
import { configOf } from "./settings.ts"

export const projectCreate = defineCommand({
  name: "project create",
  summary: "Create a project and print its keys",
  words: ["NAME"],
  options: {},
  async run(io, args) {
    const project = await withModules(await configOf(io, args), ({ accounts }) =>
      accounts.createProjectFor(args.words.NAME),
    )
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
    const list = (await withModules(await configOf(io, args), ({ projects }) => projects.list())).map(presentListed)
    const lines = list.map(
      ({ id, name, public: key, disabled }) => `${id}  ${name}${disabled ? " (disabled)" : ""}  ${key}`,
    )
    answer(io, args, list, lines.join("\n") || "No projects yet: mailstead project create NAME")
    return 0
  },
})
