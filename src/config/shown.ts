import { secret } from "./kinds.ts"
import type { Config } from "./model.ts"
import { amountOf, camelCase, propertyOf } from "./names.ts"
import type { Sender } from "./net-kinds.ts"
import type { Setting } from "./setting.ts"
import { type SettingPath, settingPaths, settings, transportSettings } from "./settings.ts"
import { redactUrl } from "./transport-url.ts"

/** The effective value of a setting, in the unit of its name. A secret that is set is `"***"`. */
interface ShownSetting {
  readonly key: string
  readonly value: unknown
  readonly default: unknown
}

const hidden = "***"

/** The whole configuration for display, without secrets. */
export function shownSettings(config: Config): ShownSetting[] {
  return [
    ...settingPaths.map((path) => ({
      key: path,
      value: shownAs(settings[path], valueIn(config, path)),
      default: shownAs(settings[path], defaultOf(config, path)),
    })),
    ...Object.entries(config.transports).flatMap(([name, { url, maxPerSecond }]) => [
      { key: `transports.${name}.url`, value: shownAs(transportSettings.url, url), default: null },
      { key: `transports.${name}.max_per_second`, value: maxPerSecond, default: null },
    ]),
  ]
}

function shownAs({ kind }: Setting<unknown>, value: unknown): unknown {
  if (value === null) return null
  if ((kind as unknown) === secret) return hidden
  if ((kind as unknown) === settings["mail.url"].kind || (kind as unknown) === transportSettings.url.kind)
    return (value as readonly string[]).map(redactUrl)
  return isSender(value) ? senderText(value) : value
}

const isSender = (value: unknown): value is Sender =>
  typeof value === "object" && value !== null && "address" in value && "name" in value

const senderText = ({ name, address }: Sender): string => (name === "" ? address : `${name} <${address}>`)

function valueIn(config: Config, path: SettingPath): unknown {
  const [section, name] = path.split(".")
  // Property names are derived at run time from the same table as the type `Config`.
  const parts = config as unknown as Record<string, Record<string, unknown>>
  if (section === undefined || name === undefined) return parts[camelCase(path)]
  return amountOf(name, parts[camelCase(section)]?.[propertyOf(name, 0)[0]])
}

function defaultOf(config: Config, path: SettingPath): unknown {
  const { fallback } = settings[path] as Setting<unknown>
  if ("follows" in fallback) return valueIn(config, fallback.follows as SettingPath)
  return config.mode === "sandbox" && "sandbox" in fallback ? fallback.sandbox : fallback.value
}
