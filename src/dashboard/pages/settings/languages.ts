import type { Language } from "../../../mail/render/index.ts"
import { valuesOf } from "../../api/types.ts"

const names = new Intl.DisplayNames("en", { type: "language" })

export const languageName = (tag: string): string => names.of(tag) ?? tag

/** The languages of the footer and the hosted pages (contract A7.5). */
export const languages: readonly string[] = valuesOf<Language>({
  en: true,
  nl: true,
  fr: true,
  hi: true,
  de: true,
  pt: true,
  bg: true,
  cs: true,
  cy: true,
  pl: true,
  es: true,
  it: true,
  "zh-TW": true,
  "zh-HK": true,
  "zh-CN": true,
  ja: true,
  sv: true,
}).toSorted((one, other) => languageName(one).localeCompare(languageName(other)))
