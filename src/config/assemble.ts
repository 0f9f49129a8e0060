import { checkTogether } from "./checks.ts"
import type { ConfigFault } from "./fault.ts"
import type { Kind } from "./kinds.ts"
import type { Config, Mode, TransportConfig } from "./model.ts"
import { camelCase, propertyOf } from "./names.ts"
import type { Setting } from "./setting.ts"
import { type SettingPath, settingPaths, settings, transportSettings } from "./settings.ts"
import { type SourceValue, transportsIn } from "./sources.ts"

type GivenValues = ReadonlyMap<string, SourceValue>

/**
 * Reads every given value by its kind and assembles the configuration. Invalid values are added to `faults` and
 * replaced by their default.
 */
export function assemble(mode: Mode, given: GivenValues, faults: ConfigFault[]): Config {
  const values = new Map<string, unknown>()
  const fallbackOf = ({ fallback }: Setting<unknown>): unknown => {
    if ("follows" in fallback) return values.get(fallback.follows)
    return mode === "sandbox" && "sandbox" in fallback ? fallback.sandbox : fallback.value
  }
  const parts: Record<string, unknown> = { mode, transports: readTransports(given, faults) }
  for (const path of settingPaths) {
    const value = readGiven<unknown>(path, settings[path].kind, given, faults) ?? fallbackOf(settings[path])
    values.set(path, value)
    put(parts, path, value)
  }
  // `put` derives property names at run time from the same table as the type `Config`.
  const config = parts as unknown as Config
  faults.push(...checkTogether(config))
  return config
}

function put(parts: Record<string, unknown>, path: SettingPath, value: unknown): void {
  const [section, name] = path.split(".")
  if (section === undefined || name === undefined) parts[camelCase(path)] = value
  else {
    const key = camelCase(section)
    const [property, converted] = propertyOf(name, value)
    parts[key] = { ...(parts[key] as object | undefined), [property]: converted }
  }
}

/** Undefined when it is not set or its kind refuses the value. */
function readGiven<T>(path: string, kind: Kind<T>, given: GivenValues, faults: ConfigFault[]): T | undefined {
  const one = given.get(path)
  if (one === undefined) return undefined
  const reading = kind.read(one.value, one.origin)
  if ("value" in reading) return reading.value
  const got = reading.got ?? kind.show(one.value)
  faults.push({ path, message: `expected ${reading.expected}, got ${got} (${one.from})` })
  return undefined
}

function readTransports(given: GivenValues, faults: ConfigFault[]): Config["transports"] {
  const transports: Record<string, TransportConfig> = {}
  for (const name of transportsIn(given.keys())) {
    const path = `transports.${name}`
    const url = readGiven(`${path}.url`, transportSettings.url.kind, given, faults) ?? []
    const maxPerSecond =
      readGiven(`${path}.max_per_second`, transportSettings.max_per_second.kind, given, faults) ?? null
    if (!given.has(`${path}.url`))
      faults.push({ path: `${path}.url`, message: "expected a transport URL, got nothing" })
    transports[name] = { url, maxPerSecond }
  }
  return transports
}
