import { Type } from "@sinclair/typebox"
import { and, eq } from "drizzle-orm"
import { isSignal, type SignalKind } from "../../bus/signal.ts"
import type { Subscriber } from "../../bus/subscriber.ts"
import type { Engine } from "../../engine.ts"
import { cancel, defineJob, done, handles, type JobHandler } from "../../jobs/define.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { textFromHtml } from "../../mail/html-text.ts"
import type { Unit } from "../../store/writer.ts"
import { contentStored, type Emails, emailChanged, emailReceived, findContent } from "../emails/index.ts"
import { inboxTextTable } from "./table.ts"

const indexText = defineJob("inbox.index", Type.Object({ projectId: Type.String(), emailId: Type.String() }))

/** The number of characters of HTML that are read, and of text that are stored and searched. */
const longestHtml = 200_000
const longestText = 20_000

const oneLine = (text: string): string => text.slice(0, longestText).replace(/\s+/g, " ").trim()

/**
 * Stores the text of messages for the list and its search, after mail is accepted: content is read when it is stored,
 * received messages are parsed by a job.
 */
export function createTexts({ store, jobs, bus }: Pick<Engine, "store" | "jobs" | "bus">, emails: Emails) {
  async function save(unit: Unit, projectId: string, source: string, text: string, attachments: number): Promise<void> {
    const added = await unit.db
      .insert(inboxTextTable)
      .values({ projectId, source, text: oneLine(text), attachments })
      .onConflictDoNothing()
      .returning({ source: inboxTextTable.source })
    if (added.length > 0) await bus.emit(unit, emailChanged, projectId, { id: source, change: "updated" })
  }

  const subscriber: Subscriber = {
    name: "inbox.text",
    on: [contentStored, emailReceived] as SignalKind<unknown>[],
    atOnce: 50,
    async handle(signals, unit) {
      for (const signal of signals) {
        const { projectId } = signal
        if (isSignal(signal, contentStored)) {
          const content = await findContent(unit.db, projectId, signal.payload.hash)
          if (content === undefined || (await isKnown(unit, projectId, content.hash))) continue
          const text = textFromHtml(content.body.slice(0, longestHtml))
          await save(unit, projectId, content.hash, text, content.attachments.length)
        } else if (isSignal(signal, emailReceived)) {
          const { emailId } = signal.payload
          await jobs.enqueue(unit, indexText, { projectId, emailId }, { uniqueKey: `${indexText.name}:${emailId}` })
        }
      }
    },
  }

  const handlers: JobHandler[] = [
    handles(indexText, async ({ projectId, emailId }) => {
      const email = await emails.get(projectId, emailId).catch(() => undefined)
      if (email === undefined) return cancel("The message is gone.")
      const { text, html, attachments } = await emails.contentOf(email)
      const words = text ?? textFromHtml((html ?? "").slice(0, longestHtml))
      await store.write(projectId, (unit) => save(unit, projectId, emailId, words, attachments.length))
      return done
    }),
  ]

  return { subscriber, handlers }
}

async function isKnown(unit: Unit, projectId: string, source: string): Promise<boolean> {
  const { projectId: project, source: key } = inboxTextTable
  const found = await unit.db
    .select({ key })
    .from(inboxTextTable)
    .where(and(eq(project, projectId), eq(key, source)))
  return found.length > 0
}

const snippetLength = 160
const tag = /\{\{\{?[^}]*\}\}\}?/g
const path = /^\{\{\{?&?\s*([\w.]+)\s*(?:\?\?\s*"?([^}"]*)"?\s*)?\}\}/

/** The beginning of a message as plain text: simple tags are replaced by their values, other tags are left out. */
export function snippetOf(text: string, variables: JsonObject | null): string {
  const shown = text.replace(tag, (whole) => {
    const [, name, fallback = ""] = path.exec(whole) ?? []
    if (name === undefined) return ""
    const value = name.split(".").reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), variables)
    return typeof value === "string" || typeof value === "number" ? String(value) : fallback.trim()
  })
  return Array.from(shown.replace(/\s+/g, " ").trim()).slice(0, snippetLength).join("")
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
