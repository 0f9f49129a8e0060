import { isObject } from "../kernel/json.ts"
import { plainReasonOf, reasonOf } from "../kernel/log.ts"
import { nearest } from "../kernel/suggest.ts"
import { ConfigError, type ConfigFault, didYouMean } from "./fault.ts"
import { isSettingPath, settingPaths, transportSettings } from "./settings.ts"

/** The text of a configuration file; `name` is its name in messages. */
export interface ConfigFile {
  readonly name: string
  readonly text: string
}

/** Parsed TOML values by the path of their setting (`http.port`, `transports.bulk.url`). */
type FileSettings = ReadonlyMap<string, unknown>

const transportName = /^[a-z][a-z0-9_-]*$/
const transportNameRule = "lower-case letters, digits, - and _ that begins with a letter"

/** Throws a ConfigError for a file that is missing, unreadable or not UTF-8. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    const bytes = await Bun.file(path).bytes()
    return { name: path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
  } catch (cause) {
    const advice: Record<string, string> = {
      ENOENT: ". Name one that exists with --config or MAILSTEAD_CONFIG",
      EACCES: ". Let the user that runs this read it",
      EISDIR: ". Name a file",
    }
    const known = advice[(cause as { code?: string }).code ?? ""] ?? ""
    throw new ConfigError([{ path, message: `this file cannot be read: ${plainReasonOf(cause)}${known}` }])
  }
}

/** Throws a ConfigError for invalid TOML; unknown keys are added to `faults`, each with the most similar known key. */
export function fileSettings({ name, text }: ConfigFile, faults: ConfigFault[]): FileSettings {
  const settings = new Map<string, unknown>()
  const take = (section: string, value: unknown, known: readonly string[]): void => {
    if (!isObject(value)) {
      faults.push({ path: section, message: `expected a section [${section}] (${name})` })
      return
    }
    for (const [leaf, given] of Object.entries(value)) {
      const path = `${section}.${leaf}`
      if (known.includes(leaf)) settings.set(path, given)
      else faults.push(unknownKey(path, name, nearest(leaf, known), section))
    }
  }
  for (const [top, value] of Object.entries(parseToml(name, text))) {
    if (isSettingPath(top)) settings.set(top, value)
    else if (top === "transports" && isObject(value)) {
      for (const [transport, section] of Object.entries(value)) {
        if (transportName.test(transport)) take(`transports.${transport}`, section, Object.keys(transportSettings))
        else
          faults.push({ path: `transports.${transport}`, message: `expected a name of ${transportNameRule} (${name})` })
      }
    } else if (sections.has(top)) take(top, value, leavesOf(top))
    else faults.push(unknownKey(top, name, nearest(top, [...sections, ...settingPaths])))
  }
  return settings
}

const sections = new Set([
  "transports",
  ...settingPaths.filter((path) => path.includes(".")).map((path) => path.slice(0, path.indexOf("."))),
])

const leavesOf = (section: string): string[] =>
  settingPaths.filter((path) => path.startsWith(`${section}.`)).map((path) => path.slice(section.length + 1))

/**
 * `near` is the most similar name of the same section; otherwise a key of another section with the same last part is
 * suggested.
 */
function unknownKey(path: string, file: string, near: string | undefined, section?: string): ConfigFault {
  const leaf = path.slice(path.lastIndexOf(".") + 1)
  const here = near !== undefined && section !== undefined ? `${section}.${near}` : near
  const meant = here ?? settingPaths.find((candidate) => candidate.endsWith(`.${leaf}`))
  return { path, message: `no such key (${file})${didYouMean(meant)}` }
}

function parseToml(name: string, text: string): Record<string, unknown> {
  try {
    const parsed: unknown = Bun.TOML.parse(text)
    return isObject(parsed) ? parsed : {}
  } catch (cause) {
    const reason = reasonOf(cause).replace(/^TOML Parse error: /, "")
    throw new ConfigError([{ path: `${name}:${faultyLine(text)}`, message: reason }])
  }
}

/** The parser does not say which line is at fault: it is the one after the longest parsable beginning of the text. */
function faultyLine(text: string): number {
  const lines = text.split("\n")
  for (let count = lines.length - 1; count > 0; count--) {
    try {
      Bun.TOML.parse(`${lines.slice(0, count).join("\n")}\n`)
      return count + 1
    } catch {}
  }
  return 1
}
