import type { Data } from "../../../wire.ts"
import { isDate, type Kind, kindOf } from "./kinds.ts"

/** A value while it is edited: what was typed is kept even while it is no value yet. */
export interface Draft {
  /** Stays the same while the draft is edited and saved. */
  readonly id: string
  /** The key in the object around it; `""` in lists. */
  readonly key: string
  readonly kind: Kind
  /** Of strings, numbers and dates. */
  readonly text: string
  /** Of dates: parts of one are typed, not all of them, and there is no text to say so. */
  readonly incomplete: boolean
  /** Of booleans. */
  readonly on: boolean
  /** Of objects and lists. */
  readonly inner: readonly Draft[]
  /** A text of several lines, or a long one. */
  readonly long: boolean
}

/** What a draft says, with a reason for every part that says nothing valid, by id. */
export interface Reading {
  readonly data: Data
  readonly faults: ReadonlyMap<string, string>
}

const reserved = ["id", "svc_id", "svc_email", "email", "unsubscribeUrl", "subscribeUrl", "manageUrl", "__proto__"]
const longestKey = 255
const longLine = 48

/** The data as drafts. Those of `before` go on being what they are edited as, where their keys are still there. */
export const draftsOf = (data: Data, before: readonly Draft[] = []): Draft[] =>
  Object.entries(data).map(([key, value]) =>
    draftOf(
      key,
      value,
      before.find((draft) => draft.key === key),
    ),
  )

function draftOf(key: string, value: unknown, before?: Draft): Draft {
  const kind = before?.kind === "string" && before.text === value ? "string" : kindOf(value)
  const text = typeof value === "string" || typeof value === "number" ? String(value) : ""
  return {
    id: before?.id ?? freshId(),
    key,
    kind,
    text,
    incomplete: false,
    on: value === true,
    inner: innerOf(value, kind, kind === before?.kind ? before.inner : []),
    long: text.includes("\n") || (before?.long ?? text.length > longLine),
  }
}

const freshId = (): string => Math.random().toString(36).slice(2)

function innerOf(value: unknown, kind: Kind, before: readonly Draft[]): Draft[] {
  if (kind === "object") return draftsOf(value as Data, before)
  return Array.isArray(value) ? value.map((item, index) => draftOf("", item, before[index])) : []
}

/** An empty value of a kind, to be filled in. */
export const blankDraft = (key: string, kind: Kind): Draft => ({ ...draftOf(key, undefined), kind })

/** Why an object cannot take this key (A2.1, A2.1.6), if so. `top` for keys of `data` itself. */
export function keyFault(key: string, taken: readonly string[], top: boolean): string | null {
  if (key === "") return "A field needs a name."
  if (taken.includes(key)) return "There is a field of this name."
  if ([...key].length > longestKey) return `At most ${longestKey} characters.`
  return top && reserved.includes(key) ? `“${key}” is reserved and never stored.` : null
}

/** The data that the drafts stand for. A field left empty at the top is one that is removed (A2.1.2). */
export function readDrafts(drafts: readonly Draft[]): Reading {
  const faults = new Map<string, string>()
  const entries: [string, unknown][] = []
  for (const draft of drafts) {
    if (isEmptyText(draft)) continue
    const value = valueIn(draft, faults)
    if (isRequestOnly(value)) faults.set(draft.id, "A value with “persistent”: false is never stored.")
    entries.push([draft.key, value])
  }
  return { data: Object.fromEntries(entries), faults }
}

const isEmptyText = ({ kind, text, incomplete }: Draft): boolean =>
  (kind === "string" && text === "") || ((kind === "number" || kind === "date") && text.trim() === "" && !incomplete)

function valueIn(draft: Draft, faults: Map<string, string>): unknown {
  const { id, kind, text, incomplete, on, inner } = draft
  switch (kind) {
    case "nothing":
      return null
    case "boolean":
      return on
    case "string":
      return text
    case "number": {
      const number = parseNumber(text)
      if (number === undefined) faults.set(id, "Not a number.")
      return number ?? null
    }
    case "date":
      if (!isDate(text)) faults.set(id, incomplete ? "Not a date yet." : "Not a date.")
      return text
    case "list":
      return inner.map((item) => valueIn(item, faults))
    case "object":
      return Object.fromEntries(inner.map((part) => [part.key, valueIn(part, faults)]))
  }
}

function parseNumber(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return undefined
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : undefined
}

const isRequestOnly = (value: unknown): boolean =>
  kindOf(value) === "object" &&
  Object.keys(value as object)
    .sort()
    .join() === "persistent,value" &&
  (value as { persistent: unknown }).persistent === false

/** The same value as another kind, as far as it can be said in it. */
export function asKind(draft: Draft, kind: Kind): Draft {
  if (kind === draft.kind) return draft
  const said = draft.kind === "boolean" ? (draft.on ? "yes" : "no") : draft.text
  const text = kind === "date" && !isDate(said) ? "" : kind === "number" && parseNumber(said) === undefined ? "" : said
  const wrapped = kind === "list" && draft.text !== "" ? [{ ...draft, id: freshId(), key: "" }] : []
  const inner = draft.kind === "list" || draft.kind === "object" ? regrouped(draft.inner, kind) : wrapped
  return { ...draft, kind, text, incomplete: false, on: /^(true|yes|1)$/i.test(said.trim()), inner }
}

const regrouped = (inner: readonly Draft[], kind: Kind): Draft[] =>
  inner.map((part, index) => ({ ...part, key: kind === "object" ? part.key || String(index) : "" }))

/** The drafts with one of them, at whatever depth, replaced; null takes it away. */
export function editDraft(drafts: readonly Draft[], id: string, edit: (draft: Draft) => Draft | null): Draft[] {
  return drafts.flatMap((draft) => {
    if (draft.id !== id) {
      const inner = draft.inner.length > 0 ? editDraft(draft.inner, id, edit) : draft.inner
      return [inner === draft.inner ? draft : { ...draft, inner }]
    }
    const edited = edit(draft)
    return edited ? [edited] : []
  })
}

/** What to send so that `stored` becomes `wanted`: changed keys, and null for those that go (A2.1). Null when equal. */
export function patchFor(stored: Data, wanted: Data): Data | null {
  const changed = Object.entries(wanted).filter(
    ([key, value]) => !Object.hasOwn(stored, key) || !isSame(stored[key], value),
  )
  const gone = Object.keys(stored).filter((key) => !Object.hasOwn(wanted, key))
  if (changed.length + gone.length === 0) return null
  return Object.fromEntries([...changed, ...gone.map((key) => [key, null] as const)])
}

/** Data once a patch of `patchFor` is saved. */
export const withPatch = (data: Data, patch: Data): Data =>
  Object.fromEntries(Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null))

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [ofA, ofB] = [Object.entries(a), b as Readonly<Record<string, unknown>>]
  return (
    ofA.length === Object.keys(ofB).length &&
    ofA.every(([key, value]) => Object.hasOwn(ofB, key) && isSame(value, ofB[key]))
  )
}
