import type { CamelCase, PropertyName } from "./names.ts"
import type { Setting } from "./setting.ts"
import type { SettingPath, settings, transportSettings } from "./settings.ts"

/**
 * The whole configuration, deeply frozen: `http.base_url` of the table in `settings.ts` is `config.http.baseUrl` here.
 * Durations are milliseconds, sizes bytes; `null` is "not set".
 */
export interface Config extends TopSettings, Sections {
  readonly mode: Mode
  /** By the NAMEs of `[transports.NAME]`. */
  readonly transports: Readonly<Record<string, TransportConfig>>
}

export type Mode = "serve" | "sandbox"

type SettingValue<P extends SettingPath> = ValueOf<(typeof settings)[P]>
type ValueOf<S> = S extends Setting<infer T> ? T : never

type Section = SettingPath extends infer P ? (P extends `${infer S}.${string}` ? S : never) : never

type TopSettings = {
  readonly [P in SettingPath as P extends `${string}.${string}` ? never : CamelCase<P>]: SettingValue<P>
}

type Sections = {
  readonly [S in Section as CamelCase<S>]: {
    readonly [P in SettingPath as P extends `${S}.${infer Name}` ? PropertyName<Name> : never]: SettingValue<P>
  }
}

export interface TransportConfig {
  /** At least one, in order of preference. */
  readonly url: NonNullable<ValueOf<typeof transportSettings.url>>
  /** Null: no limit but the transport's own. */
  readonly maxPerSecond: ValueOf<typeof transportSettings.max_per_second>
}
