import { type Command, type Options, sharedOptions } from "./args.ts"

/** The list of commands. */
export function overview(commands: readonly Command[]): string {
  return [
    "Mailstead, a self-hosted email platform",
    "",
    "Usage: mailstead <command> [options]",
    "",
    "Commands",
    ...columns(commands.map((command) => [signature(command), command.summary])),
    "",
    "Options of every command",
    ...optionLines(sharedOptions),
    "",
    "`mailstead <command> --help` says more about one, `mailstead help config` shows every setting,",
    "`mailstead help transport` the types that a transport of your own is written against.",
    "",
  ].join("\n")
}

/** The commands that begin with the same word. */
export function groupHelp(group: string, commands: readonly Command[]): string {
  const lines = columns(commands.map((command) => [signature(command), command.summary]))
  return [`Usage: mailstead ${group} <command> [options]`, "", "Commands", ...lines, ""].join("\n")
}

export function commandHelp(command: Command): string {
  const own = optionLines(command.options)
  const isShared = ([name]: [string, unknown]) => !(name in command.options)
  const shared = Object.fromEntries(Object.entries(sharedOptions).filter(isShared))
  return [
    `Usage: ${usage(command)}`,
    "",
    command.summary,
    ...(command.about === undefined ? [] : ["", command.about]),
    ...(own.length === 0 ? [] : ["", "Options", ...own]),
    "",
    "Options of every command",
    ...optionLines(shared),
    "",
  ].join("\n")
}

/** The hint below an error of usage. */
export const usageHint = (command: Command | undefined): string =>
  command === undefined
    ? "`mailstead help` lists the commands.\n"
    : `Usage: ${usage(command)}\n\`mailstead ${command.name} --help\` says more.\n`

function usage(command: Command): string {
  const options = Object.entries(command.options).map(([name, spec]) =>
    spec.required ? optionText(name, spec.value) : `[${optionText(name, spec.value)}]`,
  )
  return ["mailstead", signature(command), ...options, "[options]"].join(" ")
}

const signature = ({ name, words, rest }: Command): string =>
  [name, ...words, ...(rest ? [`[${rest.name} ...]`] : [])].join(" ")

const optionText = (name: string, value: string | undefined): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`

const optionLines = (options: Options): string[] =>
  columns(Object.entries(options).map(([name, spec]) => [optionText(name, spec.value), spec.help]))

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
