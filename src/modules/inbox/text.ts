import { Type } from "@sinclair/typebox"
import { and, eq, sql } from "drizzle-orm"
import { isSignal, type Signal, type SignalKind } from "../../bus/signal.ts"
import type { Subscriber } from "../../bus/subscriber.ts"
import type { Engine } from "../../engine.ts"
import { lineFromHtml, type MessageText, textOf } from "../../inbound/message-text.ts"
import type { MessageParser } from "../../inbound/parse-thread.ts"
import { defineJob, done, handles, type JobHandler, untilDone } from "../../jobs/define.ts"
import { DomainError } from "../../kernel/errors.ts"
import { isObject, type JsonObject } from "../../kernel/json.ts"
import { idParam } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { contentStored, emailChanged, emailReceived, findContent } from "../emails/index.ts"
import { findOriginal, listOriginalSizes, readOriginals } from "../originals/index.ts"
import { inboxTextTable } from "./table.ts"

/** The other form is that of jobs that an earlier version has stored. */
const indexText = defineJob(
  "inbox.index",
  Type.Union([
    Type.Object({ projectId: Type.String(), emailIds: Type.Array(Type.String()) }),
    Type.Object({ projectId: Type.String(), emailId: Type.String() }),
  ]),
  untilDone,
)

/** Gives the text of a message to the record that is its first one now. */
export type PassText = (
  unit: Unit,
  projectId: string,
  first: { readonly id: string; readonly before: string },
) => Promise<void>

/**
 * The delay of batches while mail keeps arriving, in ms: a job for many messages costs little more than a job for one.
 */
const batchDelayMs = 250
/** The longest delay during a burst of mail, in ms, which is accepted first. */
const longestDelayMs = 5_000
/** The bytes of messages that are read before their texts are stored. */
const mostBytes = 1024 * 1024

interface Found extends MessageText {
  readonly source: string
}

type Sized = Awaited<ReturnType<typeof listOriginalSizes>>[number]

const { placeholder } = sql

const insertText = prepare((db) =>
  db
    .insert(inboxTextTable)
    .values({
      projectId: idParam("projectId"),
      source: placeholder("source"),
      text: placeholder("text"),
      attachments: placeholder("attachments"),
    })
    .onConflictDoNothing()
    .returning({ source: inboxTextTable.source }),
)

/**
 * Stores the text of messages for the list and its search, after mail is accepted: content is read when it is stored,
 * received messages are parsed by a job.
 */
export function createTexts({ store, jobs, bus }: Pick<Engine, "store" | "jobs" | "bus">, parser: MessageParser) {
  async function save(unit: Unit, projectId: string, found: Found): Promise<void> {
    const added = await insertText(unit.db, { projectId, ...found })
    if (added.length > 0) await bus.emit(unit, emailChanged, projectId, { id: found.source, change: "updated" })
  }

  async function saveContent(unit: Unit, projectId: string, hash: string): Promise<void> {
    const content = await findContent(unit.db, projectId, hash)
    if (content === undefined || (await isKnown(unit, projectId, hash))) return
    const { body, attachments } = content
    await save(unit, projectId, { source: hash, text: lineFromHtml(body), attachments: attachments.length })
  }

  const subscriber: Subscriber = {
    name: "inbox.text",
    on: [contentStored, emailReceived] as SignalKind<unknown>[],
    atOnce: 100,
    batchDelayMs,
    longestDelayMs,
    async handle(signals, unit) {
      for (const signal of signals)
        if (isSignal(signal, contentStored)) await saveContent(unit, signal.projectId, signal.payload?.hash ?? "")
      for (const [projectId, emailIds] of receivedIn(signals))
        await jobs.enqueue(unit, indexText, { projectId, emailIds })
    },
  }

  /** Resolves to one text for each message. One that takes too long is read by itself, and only its beginning. */
  async function textsOf(projectId: string, part: readonly Sized[]): Promise<Found[]> {
    const originals = await readOriginals(
      store.read,
      part.map(({ rawId }) => rawId),
    )
    const raws = new Map(originals.map(({ id, bytes }) => [id, bytes]))
    const present = part.filter(({ rawId }) => raws.has(rawId))
    try {
      const texts = await parser.readTexts(
        present.map(({ rawId }) => raws.get(rawId) as Uint8Array),
        projectId,
      )
      return present.map(({ emailId }, at) => ({ source: emailId, ...(texts[at] as MessageText) }))
    } catch (cause) {
      if (!(cause instanceof DomainError)) throw cause
      return oneByOne(projectId, present)
    }
  }

  async function oneByOne(projectId: string, part: readonly Sized[]): Promise<Found[]> {
    const found: Found[] = []
    for (const { emailId } of part) {
      const raw = await findOriginal(store.read, emailId)
      if (raw !== undefined) found.push({ source: emailId, ...textOf(await parser.parse(raw, projectId)) })
    }
    return found
  }

  /** The text is read when there is none yet. */
  const passText: PassText = async (unit, projectId, { id, before }) => {
    const { projectId: project, source } = inboxTextTable
    const passed = await unit.db
      .update(inboxTextTable)
      .set({ source: id })
      .where(and(eq(project, projectId), eq(source, before)))
      .returning({ source })
    if (passed.length === 0) await jobs.enqueue(unit, indexText, { projectId, emailIds: [id] })
  }

  const handlers: JobHandler[] = [
    handles(indexText, async (payload) => {
      const { projectId } = payload
      const emailIds = "emailIds" in payload ? payload.emailIds : [payload.emailId]
      for (const part of partsOf(await listOriginalSizes(store.read, emailIds))) {
        const texts = await textsOf(projectId, part)
        await store.write(projectId, async (unit) => {
          for (const found of texts) await save(unit, projectId, found)
        })
      }
      return done
    }),
  ]

  return { subscriber, handlers, passText }
}

/** Of about `mostBytes` each, or of one message that is larger. */
function partsOf(messages: readonly Sized[]): Sized[][] {
  const parts: Sized[][] = []
  let bytes = mostBytes
  for (const message of messages) {
    if (bytes >= mostBytes) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(message)
    bytes += message.size
  }
  return parts
}

/** The messages that were received, by project. */
function receivedIn(signals: readonly Signal[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const signal of signals) {
    if (!isSignal(signal, emailReceived) || signal.payload === undefined) continue
    const { projectId, payload } = signal
    const emailIds = found.get(projectId) ?? []
    if (emailIds.push(payload.emailId) === 1) found.set(projectId, emailIds)
  }
  return found
}

const known = prepare((db) =>
  db
    .select({ source: inboxTextTable.source })
    .from(inboxTextTable)
    .where(and(eq(inboxTextTable.projectId, idParam("projectId")), eq(inboxTextTable.source, placeholder("source")))),
)

const isKnown = async (unit: Unit, projectId: string, source: string): Promise<boolean> =>
  (await known(unit.db, { projectId, source })).length > 0

const snippetLength = 160
const tag = /\{\{\{?[^}]*\}\}\}?/g
const path = /^\{\{\{?&?\s*((?:[\w.]+|\[[^\]]+\])+)\s*(?:\?\?\s*"?([^}"]*)"?\s*)?\}\}/
/** A name, as it is or in brackets. */
const segment = /\[([^\]]+)\]|\w+/g

/**
 * The beginning of a message as plain text: simple tags of a template are replaced by their values, other tags are left out.
 * Text without a template is shown as it is.
 */
export function snippetOf(text: string, template: { readonly variables: JsonObject | null } | undefined): string {
  const shown = template === undefined ? text : withValues(text, template.variables)
  return Array.from(shown.replace(/\s+/g, " ").trim()).slice(0, snippetLength).join("")
}

const withValues = (text: string, variables: JsonObject | null): string =>
  text.replace(tag, (whole) => {
    const [, name, fallback = ""] = path.exec(whole) ?? []
    if (name === undefined) return ""
    const keys = [...name.matchAll(segment)].map(([plain, bracketed]) => bracketed ?? plain)
    const value = keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), variables)
    return typeof value === "string" || typeof value === "number" ? String(value) : fallback.trim()
  })
