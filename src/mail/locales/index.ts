import type { Language } from "../render/languages.ts"
import { bg } from "./bg.ts"
import { cs } from "./cs.ts"
import { cy } from "./cy.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { hi } from "./hi.ts"
import { it } from "./it.ts"
import { ja } from "./ja.ts"
import { nl } from "./nl.ts"
import { pl } from "./pl.ts"
import { pt } from "./pt.ts"
import { sv } from "./sv.ts"
import type { Texts } from "./texts.ts"
import { zhCN } from "./zh-cn.ts"
import { zhHK } from "./zh-hk.ts"
import { zhTW } from "./zh-tw.ts"

export type { Texts } from "./texts.ts"

/** The texts shown to recipients, in each language of contract A7.5. */
export const textsIn: Readonly<Record<Language, Texts>> = {
  en,
  nl,
  fr,
  hi,
  de,
  pt,
  bg,
  cs,
  cy,
  pl,
  es,
  it,
  "zh-TW": zhTW,
  "zh-HK": zhHK,
  "zh-CN": zhCN,
  ja,
  sv,
}

/**
 * A text with the names in their places, as `write` gives them. After a name that ends with a full stop, such as
 * `Acme Inc.`, that of the sentence is left out.
 */
export const withNames = (
  text: string,
  names: Readonly<Record<string, string>>,
  write: (name: string) => string,
): string =>
  text.replace(/\{(sender|address)\}(\.?)/g, (_, key: string, stop: string) => {
    const name = names[key] ?? ""
    return write(name) + (name.endsWith(".") ? "" : stop)
  })
