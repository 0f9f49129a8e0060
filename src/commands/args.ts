import { parseArgs } from "node:util"
import type { SettingPath, Settings } from "../config.ts"
import { nearest } from "../kernel/suggest.ts"

/** The environment of a command, replaceable in tests. */
export interface Io {
  stdout(text: string): void
  stderr(text: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Standard input, for values that must not be on a command line. */
  stdin(): Promise<string>
  /** Aborts when the process is asked to stop. */
  readonly stop: AbortSignal
}

/** The first line of standard input: secrets are never arguments, which every user of the machine can read. */
export const pipedLine = async (io: Pick<Io, "stdin">): Promise<string> => (await io.stdin()).split(/\r?\n/, 1)[0] ?? ""

interface OptionSpec {
  readonly help: string
  /** The name of the value in the help. An option without it is a switch. */
  readonly value?: string
  readonly required?: true
  /** The setting that the option overrides. */
  readonly setting?: SettingPath
}

export type Options = Readonly<Record<string, OptionSpec>>

type OptionValue<S extends OptionSpec> = S extends { readonly value: string }
  ? S extends { readonly required: true }
    ? string
    : string | undefined
  : OptionSpec extends S
    ? string | boolean | undefined
    : boolean

/** A command line, parsed by the specification of its command. */
export interface Args<O extends Options = Options, W extends string = string> {
  readonly options: { readonly [Name in keyof O]: OptionValue<O[Name]> }
  /** The positional words, by their name in the usage. */
  readonly words: Readonly<Record<W, string>>
  /** What `--data` and options with a `setting` override. */
  readonly settings: Settings
  /** The configuration file named by `--config`. */
  readonly config: string | undefined
  readonly json: boolean
}

export interface Command<O extends Options = Options, W extends string = string> {
  /** One or two words: `serve`, `project create`. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** A description beyond the summary. */
  readonly about?: string
  /** The names of the required positional words, as the usage shows them. */
  readonly words: readonly W[]
  /** Any number of further words, which override a setting. */
  readonly rest?: { readonly name: string; readonly setting: SettingPath }
  readonly options: O
  /**
   * Resolves with the exit code: 0 success, 1 failure (contract A8.1). A thrown error is printed and gives 1, a
   * UsageError 2.
   */
  run(io: Io, args: Args<O, W>): Promise<number>
}

/** Gives a command typed access to its options and words, and the table of commands a plain Command. */
export const defineCommand = <const O extends Options, const W extends string = never>(
  command: Omit<Command<O, W>, "words"> & { readonly words?: readonly W[] },
): Command => ({ words: [], ...command }) as Command

/** Wrong usage: printed with a hint to the help, exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "UsageError"
  }
}

export const sharedOptions = {
  config: { value: "FILE", help: "Configuration file (or MAILSTEAD_CONFIG); not of service" },
  data: { value: "DIR", help: "Data folder (default ./data); not of service", setting: "data" },
  json: { help: "Print one JSON document; not of serve, sandbox and help" },
  help: { help: "Show this help" },
} as const satisfies Options

/**
 * Parses the arguments after the name of the command. Returns `"help"` when help is requested, even if the rest is
 * invalid.
 */
export function readArgs(command: Command, argv: readonly string[]): Args | "help" {
  const specs: Options = { ...sharedOptions, ...command.options }
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(specs).map(([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" }]),
    ),
    strict: false,
    tokens: true,
  })
  if (tokens.some((token) => token.kind === "option" && ["help", "h"].includes(token.name))) return "help"

  const values: Record<string, string | boolean> = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value)
    else if (token.kind === "option") values[token.name] = optionValue(specs, token)
  }
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.value === undefined) values[name] ??= false
    else if (spec.required && values[name] === undefined) throw new UsageError(`--${name} ${spec.value} is missing`)
  }
  return {
    options: values as Args["options"],
    words: nameWords(command.words, command.rest ? words.slice(0, command.words.length) : words),
    settings: { ...settingsOf(specs, values), ...restOf(command, words) },
    config: typeof values.config === "string" ? values.config : undefined,
    json: values.json === true,
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function optionValue(specs: Options, { name, rawName, value, inlineValue }: OptionToken): string | boolean {
  const spec = Object.hasOwn(specs, name) && rawName.startsWith("--") ? specs[name] : undefined
  if (spec === undefined) {
    const near = nearest(name, Object.keys(specs))
    throw new UsageError(`unknown option ${rawName}${near === undefined ? "" : `; did you mean --${near}?`}`)
  }
  if (spec.value === undefined) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`)
    return true
  }
  if (value === undefined || value === "") throw new UsageError(`--${name} needs a value: --${name} ${spec.value}`)
  if (!inlineValue && value.startsWith("-"))
    throw new UsageError(`--${name} needs a value; one that begins with - is written --${name}=${value}`)
  return value
}

function nameWords(names: readonly string[], words: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const word = words[index]
    if (word === undefined || word === "") throw new UsageError(`${name} is missing`)
    named[name] = word
  }
  const surplus = words[names.length]
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}"`)
  return named
}

function restOf({ words: names, rest }: Command, words: readonly string[]): Settings {
  const further = words.slice(names.length)
  return rest === undefined || further.length === 0 ? {} : { [rest.setting]: further.join(" ") }
}

function settingsOf(specs: Options, values: Readonly<Record<string, string | boolean>>): Settings {
  const settings: Partial<Record<SettingPath, string>> = {}
  for (const [name, { setting }] of Object.entries(specs)) {
    const value = values[name]
    if (setting !== undefined && typeof value === "string") settings[setting] = value
  }
  return settings
}
