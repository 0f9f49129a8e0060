import { and, asc, eq, exists, gte, inArray, isNotNull, type SQL, sql } from "drizzle-orm"
import {
  type Activity,
  type Condition,
  type Facts,
  matches,
  parseCondition,
  type SqlSubject,
  toSql,
} from "../../src/conditions/index.ts"
import type { JsonObject } from "../../src/kernel/json.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { projectTable } from "../../src/modules/projects/index.ts"
import type { Store } from "../../src/store/store.ts"
import { sequentialIds } from "./ids.ts"

/** A contact with its events and mails. */
export interface Person {
  readonly email: string
  readonly subscribed: boolean
  readonly createdAt: number
  readonly updatedAt: number
  readonly data: JsonObject
  readonly events: readonly { readonly name: string; readonly at: number }[]
  readonly mails: readonly Partial<Record<Activity, number>>[]
}

/** A contact without events and mail, except the given facts. */
export function person(
  email: string,
  subscribed: boolean,
  createdAt: string,
  rest: Partial<Person> & Pick<Person, "data">,
): Person {
  const at = Date.parse(createdAt)
  return { email, subscribed, createdAt: at, updatedAt: at, events: [], mails: [], ...rest }
}

/** Parses a valid condition. */
export function treeOf(condition: unknown): Condition {
  const parsed = parseCondition(condition, "condition")
  if ("faults" in parsed) throw new Error(JSON.stringify(parsed.faults))
  return parsed.tree
}

/** Segments by id: the addresses of a static one, or the condition of a dynamic one. Any other is deleted. */
export type TestSegments = ReadonlyMap<string, readonly string[] | Condition>

const timeOf = {
  sent: emailTable.sentAt,
  delivered: emailTable.deliveredAt,
  opened: emailTable.openedAt,
  clicked: emailTable.clickedAt,
  bounced: emailTable.bouncedAt,
  complained: emailTable.complainedAt,
} as const

/** Both evaluations of conditions for the same contacts: as SQL over the rows of a store, and in memory over facts. */
export async function askingBoth(store: Store, segments: TestSegments = new Map()) {
  const ids = sequentialIds()
  const projectId = ids.next()
  await store.write("instance", async ({ db, now }) => {
    const row = { id: projectId, name: "Acme", publicKey: "pk", secretHash: "hash", secretSealed: "sealed" }
    await db.insert(projectTable).values({ ...row, createdAt: now, updatedAt: now })
  })
  let people: readonly Person[] = []

  /** Replaces the contacts. */
  const fill = (next: readonly Person[]): Promise<void> =>
    store.write("instance", async ({ db }) => {
      await db.delete(contactTable)
      for (const { events, mails, ...person } of next) {
        const contactId = ids.next()
        await db.insert(contactTable).values({ id: contactId, projectId, ...person })
        for (const { name, at } of events)
          await db
            .insert(eventTable)
            .values({ id: ids.next(), projectId, contactId, name, storedData: {}, createdAt: at })
        for (const mail of mails) await db.insert(emailTable).values(mailRow(ids.next(), projectId, contactId, mail))
      }
      people = next
    })

  const one = { one: sql`1` }
  const subjectAt = (now: number): SqlSubject => ({
    ...contactTable,
    eventSince: (name, since) =>
      exists(
        store.read
          .select(one)
          .from(eventTable)
          .where(
            and(
              eq(eventTable.contactId, contactTable.id),
              eq(eventTable.name, name),
              since === null ? undefined : gte(eventTable.createdAt, since),
            ),
          ),
      ),
    mailSince(activity, since) {
      const at = timeOf[activity]
      const inTime = since === null ? isNotNull(at) : gte(at, since)
      return exists(
        store.read
          .select(one)
          .from(emailTable)
          .where(and(eq(emailTable.contactId, contactTable.id), inTime)),
      )
    },
    memberOf(id) {
      const segment = segments.get(id)
      if (segment === undefined) return null
      return "logic" in segment ? toSql(segment, subjectAt(now), now) : inArray(contactTable.email, [...segment])
    },
  })

  const select = async (where: SQL): Promise<string[]> => {
    const { email, seq } = contactTable
    return (await store.read.select({ email }).from(contactTable).where(where).orderBy(asc(seq))).map(
      (row) => row.email,
    )
  }

  /** The addresses of the contacts that match in the database, in the order of insertion. */
  const bySql = (tree: Condition, now: number) => select(toSql(tree, subjectAt(now), now))

  return {
    fill,
    bySql,
    /** The contacts for which the SQL is null; there must be none. */
    undecided: (tree: Condition, now: number) => select(sql`(${toSql(tree, subjectAt(now), now)}) IS NULL`),
    /** The matches by the evaluation in memory. */
    byFacts: (tree: Condition, now: number): string[] =>
      people.filter((person) => matches(tree, factsOf(person, segments, now), now)).map(({ email }) => email),
  }
}

export type BothReaders = Awaited<ReturnType<typeof askingBoth>>

/** The facts of a contact as stored: its data was serialized as JSON. */
function factsOf({ events, mails, ...person }: Person, segments: TestSegments, now: number): Facts {
  const facts: Facts = {
    ...person,
    data: JSON.parse(JSON.stringify(person.data)),
    lastEvent: (name) => latest(events.flatMap((event) => (event.name === name ? event.at : []))),
    lastMail: (activity) => latest(mails.flatMap((mail) => mail[activity] ?? [])),
    inSegment(id) {
      const segment = segments.get(id)
      if (segment === undefined) return null
      return "logic" in segment ? matches(segment, facts, now) : segment.includes(person.email)
    },
  }
  return facts
}

const latest = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.max(...times))

function mailRow(id: string, projectId: string, contactId: string, mail: Person["mails"][number]) {
  return {
    id,
    projectId,
    contactId,
    locale: "en",
    to: "to@example.com",
    from: "from@acme.test",
    subject: "Hello",
    type: "TRANSACTIONAL",
    sourceType: "TRANSACTIONAL",
    status: "SENT",
    messageId: `${id}@acme.test`,
    lane: 0,
    dueAt: 0,
    createdAt: 0,
    updatedAt: 0,
    sentAt: mail.sent ?? null,
    deliveredAt: mail.delivered ?? null,
    openedAt: mail.opened ?? null,
    clickedAt: mail.clicked ?? null,
    bouncedAt: mail.bounced ?? null,
    complainedAt: mail.complained ?? null,
  } as const satisfies typeof emailTable.$inferInsert
}
