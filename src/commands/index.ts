import { ConfigError, exampleFile } from "../config.ts"
import { DomainError } from "../kernel/errors.ts"
import { reasonOf } from "../kernel/log.ts"
import { nearest } from "../kernel/suggest.ts"
import { analyticsRebuild } from "./analytics.ts"
import { type Command, type Io, readArgs, UsageError } from "./args.ts"
import { backup } from "./backup.ts"
import { doctor } from "./doctor.ts"
import { domainAdd, domainRotateKey } from "./domain.ts"
import { withEnvironmentFile } from "./environment.ts"
import { health } from "./health.ts"
import { commandHelp, groupHelp, overview, usageHint } from "./help.ts"
import { licenses } from "./licenses.ts"
import { markOf } from "./logging.ts"
import { migrate } from "./migrate.ts"
import { projectCreate, projectDisable, projectEnable, projectList } from "./project.ts"
import { restore } from "./restore.ts"
import { resume } from "./resume.ts"
import { sandbox } from "./sandbox.ts"
import { serve } from "./serve.ts"
import { serviceInstall, serviceStatus, serviceUninstall } from "./service.ts"
import { sesSetup } from "./ses.ts"
import { transportText } from "./transport-text.ts" with { type: "macro" }
import { update } from "./update.ts"
import { setupLink, userCreate, userList, userPassword } from "./user.ts"
import { version } from "./version.ts"

/** Every command, in the order of the help. */
const table: readonly Command[] = [
  serve,
  sandbox,
  projectCreate,
  projectList,
  projectDisable,
  projectEnable,
  domainAdd,
  domainRotateKey,
  userCreate,
  userList,
  userPassword,
  setupLink,
  sesSetup,
  analyticsRebuild,
  doctor,
  serviceInstall,
  serviceUninstall,
  serviceStatus,
  health,
  migrate,
  update,
  backup,
  restore,
  resume,
  version,
  licenses,
]

/**
 * Runs the command that `argv` (without program and script) names and resolves with the exit code: 0 success, 1 failure,
 * 2 wrong usage or configuration (contract A8.1). Never rejects.
 */
export async function run(argv: readonly string[], io: Io, commands: readonly Command[] = table): Promise<number> {
  const found = find(argv, commands)
  try {
    return found ? await runCommand(found.command, found.rest, io) : await runOther(argv, io, commands)
  } catch (cause) {
    const advice = cause instanceof DomainError ? cause.extras.suggestion : undefined
    const text = `mailstead: ${reasonOf(cause)}${advice === undefined ? "" : ` ${advice}`}\n`
    io.stderr(text.replaceAll(/^(?=.)/gm, markOf(io)("error")))
    if (cause instanceof UsageError) io.stderr(`\n${usageHint(found?.command)}`)
    if (cause instanceof UsageError || cause instanceof ConfigError) return 2
    if (io.env.MAILSTEAD_LOG_LEVEL === "debug" && cause instanceof Error) io.stderr(`${cause.stack}\n`)
    return 1
  }
}

async function runCommand(command: Command, argv: readonly string[], io: Io): Promise<number> {
  const args = readArgs(command, argv)
  if (args !== "help") return command.run(await withEnvironmentFile(io, args), args)
  io.stdout(commandHelp(command))
  return 0
}

/** Handles everything other than a command: the forms of help, and unknown words. */
async function runOther(argv: readonly string[], io: Io, commands: readonly Command[]): Promise<number> {
  const [first = "help", ...rest] = argv
  if (["help", "--help", "-h"].includes(first)) return help(rest, io, commands)
  if (first === "--version" || first === "-v") return run(["version", ...rest], io, commands)
  if (first.startsWith("-")) throw new UsageError(`unknown option ${first}; options stand behind the command`)

  const group = groupOf(first, commands)
  const [second] = rest
  if (group.length === 0) throw unknownCommand(first, commands)
  if (second === "--help" || second === "-h") return help([first], io, commands)
  if (second !== undefined && !second.startsWith("-")) throw unknownIn(group, first, second)
  throw new UsageError(`one of these commands is missing: ${namesOf(group)}`)
}

function find(argv: readonly string[], commands: readonly Command[]) {
  for (const length of [2, 1]) {
    const command = commands.find((one) => one.name === argv.slice(0, length).join(" "))
    if (command) return { command, rest: argv.slice(length) }
  }
  return undefined
}

const groupOf = (word: string, commands: readonly Command[]): readonly Command[] =>
  commands.filter((one) => one.name.startsWith(`${word} `))

/** `mailstead help`, `mailstead help project create`, `mailstead help config`, `mailstead help transport`. */
function help(topic: readonly string[], io: Io, commands: readonly Command[]): number {
  const words = topic.filter((word) => !word.startsWith("-"))
  const [first, second] = words
  const { command, rest = words.slice(1) } = find(words, commands) ?? {}
  const group = first === undefined || command ? [] : groupOf(first, commands)
  if (first !== undefined && second !== undefined && group.length > 0) throw unknownIn(group, first, second)
  const isTopic = command || group.length > 0 || first === "config" || first === "transport"
  if (first !== undefined && !isTopic) throw unknownCommand(first, commands)
  if (rest[0] !== undefined) throw new UsageError(`unexpected argument "${rest[0]}"`)
  if (first === undefined) io.stdout(overview(commands))
  else if (command) io.stdout(commandHelp(command))
  else if (first === "config") io.stdout(exampleFile())
  else if (first === "transport") io.stdout(transportText())
  else io.stdout(groupHelp(first, group))
  return 0
}

const namesOf = (group: readonly Command[]): string => group.map(({ name }) => name).join(", ")

const unknownIn = (group: readonly Command[], first: string, second: string): UsageError =>
  new UsageError(`unknown command "${first} ${second}"; these exist: ${namesOf(group)}`)

function unknownCommand(name: string, commands: readonly Command[]): UsageError {
  const known = commands.flatMap((one) => [one.name, one.name.replace(/ .*/, "")])
  const near = nearest(name, known)
  return new UsageError(`unknown command "${name}"${near === undefined ? "" : `; did you mean "${near}"?`}`)
}
