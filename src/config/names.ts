import { day, hour, second } from "../kernel/clock.ts"

/** `http.base_url` is `MAILSTEAD_HTTP_BASE_URL`. */
export const variableOf = (path: string): string => `MAILSTEAD_${path.replaceAll(/[.-]/g, "_").toUpperCase()}`

/**
 * The name of a setting has the unit that people write, the property of `Config` the unit that the code uses:
 * `retention.content_days` is `retention.contentMs`, `limits.attachment_mb` is `limits.attachmentBytes`.
 */
const units = {
  seconds: { property: "Ms", factor: second },
  hours: { property: "Ms", factor: hour },
  days: { property: "Ms", factor: day },
  mb: { property: "Bytes", factor: 1_048_576 },
} as const

type Units = typeof units

/** `cors_origins` is `corsOrigins`. */
export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type InUnit<Name extends string> = {
  [Unit in keyof Units]: Name extends `${infer Stem}_${Unit}` ? `${CamelCase<Stem>}${Units[Unit]["property"]}` : never
}[keyof Units]

/** The property of `Config` for the last part of a setting's name. */
export type PropertyName<Name extends string> = [InUnit<Name>] extends [never] ? CamelCase<Name> : InUnit<Name>

export const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** The property of `Config` for the last part of a setting's name, and the value in its unit. */
export function propertyOf(name: string, value: unknown): readonly [name: string, value: unknown] {
  const [, stem = name, unit = ""] = /^(.+)_([a-z]+)$/.exec(name) ?? []
  if (!Object.hasOwn(units, unit)) return [camelCase(name), value]
  const { property, factor } = units[unit as keyof Units]
  const convert = (amount: unknown): unknown => (typeof amount === "number" ? Math.round(amount * factor) : amount)
  return [camelCase(stem) + property, Array.isArray(value) ? value.map(convert) : convert(value)]
}

/** The inverse: a value of `Config` in the unit of the setting's name. */
export function amountOf(name: string, value: unknown): unknown {
  const [, , unit = ""] = /^(.+)_([a-z]+)$/.exec(name) ?? []
  if (!Object.hasOwn(units, unit)) return value
  const { factor } = units[unit as keyof Units]
  const convert = (amount: unknown): unknown => (typeof amount === "number" ? amount / factor : amount)
  return Array.isArray(value) ? value.map(convert) : convert(value)
}
