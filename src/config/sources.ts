import { type Environment, environmentSettings } from "./environment.ts"
import type { ConfigFault } from "./fault.ts"
import { type ConfigFile, fileSettings } from "./file.ts"
import type { Mode } from "./model.ts"
import type { SettingPath } from "./settings.ts"

export type Settings = Readonly<Partial<Record<SettingPath, string>>>

export interface ConfigSources {
  readonly mode?: Mode
  /** From the command line. */
  readonly options?: Settings
  readonly env?: Environment
  readonly file?: ConfigFile
  /** Replaces the built-in default; every other source wins over it. */
  readonly defaults?: Settings
}

/** A value as given by its source; `from` names the source in messages. */
export interface SourceValue {
  readonly value: unknown
  readonly origin: "text" | "file"
  readonly from: string
}

/** The value of every path that is set, taken from the first of: option, environment, file, default. */
export function collectSettings(
  sources: ConfigSources,
  faults: ConfigFault[],
  warnings: string[],
): ReadonlyMap<string, SourceValue> {
  const given = new Map<string, SourceValue>()
  const fromFile = sources.file === undefined ? undefined : fileSettings(sources.file, faults)
  const fromEnvironment = environmentSettings(sources.env ?? {}, transportsIn(fromFile?.keys() ?? []), warnings)

  layText(given, sources.defaults, "default")
  for (const [path, value] of fromFile ?? []) given.set(path, { value, origin: "file", from: sources.file?.name ?? "" })
  for (const [path, { value, variable }] of fromEnvironment) given.set(path, { value, origin: "text", from: variable })
  layText(given, sources.options, "command line")
  return given
}

function layText(given: Map<string, SourceValue>, settings: Settings = {}, from: string): void {
  for (const [path, value] of Object.entries(settings))
    if (value !== undefined) given.set(path, { value, origin: "text", from })
}

/** The NAMEs in paths such as `transports.NAME.url`, each once. */
export function transportsIn(paths: Iterable<string>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const path of paths) {
    const [section, name] = path.split(".")
    if (section === "transports" && name !== undefined) names.add(name)
  }
  return names
}
