import { nearest } from "../kernel/suggest.ts"
import { didYouMean } from "./fault.ts"
import { variableOf } from "./names.ts"
import { settingPaths, transportSettings } from "./settings.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** The variable with the path of the configuration file; the command line reads it. */
export const fileVariable = "MAILSTEAD_CONFIG"

/** A setting from the environment, and the variable it came from. */
interface EnvironmentSetting {
  readonly value: string
  readonly variable: string
}

/**
 * The settings of the environment by their path. A variable without text counts as not set; a `MAILSTEAD_` variable
 * that names no setting gives a warning. `transports` are the names in the file, which keep their spelling (`bulk-eu` is
 * `MAILSTEAD_TRANSPORTS_BULK_EU_URL`); any other name is a new transport, in lower case.
 */
export function environmentSettings(env: Environment, transports: Iterable<string>, warnings: string[]) {
  const spelling = new Map(Array.from(transports, (name) => [variableOf(`transports.${name}`), name]))
  const settings = new Map<string, EnvironmentSetting>()
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith("MAILSTEAD_") || variable === fileVariable) continue
    const path = pathByVariable.get(variable) ?? transportPath(variable, spelling)
    if (path === undefined) {
      const near = nearest(variable, [...pathByVariable.keys(), fileVariable])
      warnings.push(`${variable} is no setting of ours and is ignored${didYouMean(near)}`)
    } else if (value !== undefined && value.trim() !== "") settings.set(path, { value, variable })
  }
  return settings
}

const pathByVariable = new Map(settingPaths.map((path) => [variableOf(path), path]))

function transportPath(variable: string, spelling: ReadonlyMap<string, string>): string | undefined {
  for (const leaf of Object.keys(transportSettings)) {
    const suffix = `_${leaf.toUpperCase()}`
    if (!variable.startsWith("MAILSTEAD_TRANSPORTS_") || !variable.endsWith(suffix)) continue
    const stem = variable.slice(0, -suffix.length)
    const name = spelling.get(stem) ?? stem.slice("MAILSTEAD_TRANSPORTS_".length).toLowerCase()
    if (/^[a-z]/.test(name)) return `transports.${name}.${leaf}`
  }
  return undefined
}
