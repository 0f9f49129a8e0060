import type { Data } from "../../api/types.ts"
import { isDate, type Kind, kindOf, readNumber } from "./kinds.ts"

/** The draft of a value: the typed text is kept even while it is invalid. */
export interface Draft {
  /** Stays the same while the draft is edited and saved. */
  readonly id: string
  /** The key in the containing object; without meaning in lists. */
  readonly key: string
  readonly kind: Kind
  /** For strings, numbers and dates; kept as typed while the draft has another type. */
  readonly text: string
  /** For dates: only some parts are typed, so there is no text yet. */
  readonly incomplete: boolean
  /** For booleans. */
  readonly on: boolean
  /** For objects and lists; kept like the text. */
  readonly inner: readonly Draft[]
  /** Whether it is a text of several lines, or a long one. */
  readonly long: boolean
  /** Removed, but shown until that is saved, so that it can be restored. */
  readonly removed: boolean
  /** Added here, and not stored yet. */
  readonly added: boolean
}

/** The value of a draft, with the fault of every invalid part, by id. */
interface Reading {
  readonly data: Data
  readonly faults: ReadonlyMap<string, string>
}

const reserved = ["id", "svc_id", "svc_email", "email", "unsubscribeUrl", "subscribeUrl", "manageUrl", "__proto__"]
const longestKey = 255
const longLine = 48

/** The data as drafts. Those of `before` keep their type if their keys still exist. */
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
    inner: innerOf(value, kind, kind === before?.kind ? before.inner.filter(isThere) : []),
    long: text.includes("\n") || (before?.long ?? text.length > longLine),
    removed: false,
    added: false,
  }
}

const freshId = (): string => Math.random().toString(36).slice(2)

function innerOf(value: unknown, kind: Kind, before: readonly Draft[]): Draft[] {
  if (kind === "object") return draftsOf(value as Data, before)
  return Array.isArray(value) ? value.map((item, index) => draftOf("", item, before[index])) : []
}

/** An empty value of a kind, to be filled in. */
export const blankDraft = (key: string, kind: Kind): Draft => ({ ...draftOf(key, undefined), kind, added: true })

/** The fault of a key (contract A2.1, A2.1.6), if it has one. `top` for keys of `data` itself. */
export function keyFault(key: string, taken: readonly string[], top: boolean): string | null {
  if (key === "") return "A field needs a name."
  if (taken.includes(key)) return "There is a field of this name."
  if ([...key].length > longestKey) return `At most ${longestKey} characters.`
  return top && reserved.includes(key) ? `“${key}” is reserved and never stored.` : null
}

/** The data of the drafts. An empty field at the top level is removed (contract A2.1.2). */
export function readDrafts(drafts: readonly Draft[]): Reading {
  const faults = new Map<string, string>()
  const entries: [string, unknown][] = []
  for (const draft of drafts) {
    if (draft.removed || isEmptyText(draft)) continue
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
      const reading = readNumber(text)
      if ("number" in reading) return reading.number
      faults.set(id, reading.fault)
      return null
    }
    case "date":
      if (!isDate(text)) faults.set(id, incomplete ? "Not a date yet." : `“${text}” is not a date.`)
      return text
    case "list":
      return inner.filter(isThere).map((item) => valueIn(item, faults))
    case "object":
      return Object.fromEntries(inner.filter(isThere).map((part) => [part.key, valueIn(part, faults)]))
  }
}

/** Whether it will be saved. */
export const isThere = ({ removed }: Draft): boolean => !removed

const isRequestOnly = (value: unknown): boolean =>
  kindOf(value) === "object" &&
  Object.keys(value as object)
    .sort()
    .join() === "persistent,value" &&
  (value as { persistent: unknown }).persistent === false

/** The value converted to another type. What cannot be converted is kept, so that changing back restores it. */
export function asKind(draft: Draft, kind: Kind): Draft {
  if (kind === draft.kind) return draft
  const text = textOf(draft)
  return { ...draft, kind, text, incomplete: false, on: saysYes(text), inner: innerAs(draft, text, kind) }
}

const saysYes = (text: string): boolean => /^(true|yes|1)$/i.test(text.trim())

/** The text of a value; a switch that was not changed keeps the text typed before. */
function textOf({ kind, text, on, inner }: Draft): string {
  if (kind === "boolean") return text !== "" && saysYes(text) === on ? text : on ? "yes" : "no"
  const [only, ...others] = inner
  return kind === "list" && text === "" && only && others.length === 0 ? textOf(only) : text
}

/** The inner drafts; a new list begins with the value, unless it already contains it. */
function innerAs(draft: Draft, text: string, kind: Kind): readonly Draft[] {
  const { inner } = draft
  if (kind === "object") return named(inner)
  const isInside = text === "" || inner.some((part) => textOf(part) === text)
  return kind !== "list" || draft.kind === "object" || isInside
    ? inner
    : [{ ...draft, id: freshId(), key: "", inner: [] }]
}

/** Items need a name in an object. */
function named(inner: readonly Draft[]): readonly Draft[] {
  const taken = new Set(inner.map(({ key }) => key))
  return inner.map((part, index) => {
    if (part.key !== "") return part
    let key = index
    while (taken.has(String(key))) key++
    taken.add(String(key))
    return { ...part, key: String(key) }
  })
}

/** The drafts with one of them, at any depth, replaced; null removes it. */
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
