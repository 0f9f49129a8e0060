import { assemble } from "./config/assemble.ts"
import { ConfigError, type ConfigFault } from "./config/fault.ts"
import type { Config } from "./config/model.ts"
import { type ConfigSources, collectSettings } from "./config/sources.ts"

export { fileVariable } from "./config/environment.ts"
export { exampleFile } from "./config/example.ts"
export { ConfigError, type ConfigFault } from "./config/fault.ts"
export { readConfigFile } from "./config/file.ts"
export type { Config, Mode } from "./config/model.ts"
export { variableOf } from "./config/names.ts"
export { addressOf, mailHostOf, publicUrl } from "./config/public-url.ts"
export { sesRegion } from "./config/ses-region.ts"
export { type SettingPath, settingPaths, settings, transportSettings } from "./config/settings.ts"
export { shownSettings } from "./config/shown.ts"
export type { ConfigSources, Settings } from "./config/sources.ts"
export { redactUrl } from "./config/transport-url.ts"

interface LoadedConfig {
  readonly config: Config
  /** Sentences for the operator: `MAILSTEAD_` variables that name no setting. */
  readonly warnings: readonly string[]
}

/**
 * Reads the settings of all sources into one typed and deeply frozen value. An option wins over the environment, that
 * over the file, that over the default (contract A8.2). Throws one ConfigError that lists every fault.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const faults: ConfigFault[] = []
  const warnings: string[] = []
  const config = assemble(sources.mode ?? "serve", collectSettings(sources, faults, warnings), faults)
  if (faults.length > 0) throw new ConfigError(faults)
  return { config: deepFreeze(config), warnings }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
