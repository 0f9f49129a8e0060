import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { count, type SQL } from "drizzle-orm"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { type Event, eventTable, wholeEvent } from "../../src/modules/events/index.ts"
import { type Template, templateTable } from "../../src/modules/templates/index.ts"
import type { ApiAnswer, ApiCall } from "./api.ts"
import { startTestApp, type TestApp, type TestOptions } from "./app.ts"

/** One request, its response, and all effects: effects that a row does not list must not happen. */
export interface Scenario extends ApiCall {
  /** The rest of a sentence that begins with the title. */
  readonly name: string
  /** Method and path, when they are not those of the title. */
  readonly route?: string
  /** Sets up the state before the request. */
  readonly given?: (it: TestApp) => Promise<unknown>
  readonly status: number
  /** `error.code` of the response. */
  readonly code?: string
  /** Every validation item, as field and code. */
  readonly fields?: Readonly<Record<string, string>>
  /** A part of the body of the response. */
  readonly answer?: object
  /** Events stored, by name. */
  readonly events?: Readonly<Record<string, number>>
  /** Messages added to the ledger. */
  readonly mails?: number
  /** Contacts created. */
  readonly contacts?: number
  /** Additional checks afterwards. */
  readonly afterwards?: (it: TestApp, answer: ApiAnswer) => unknown
}

interface ScenarioOptions extends TestOptions {
  /** Sets up the state before the first row. */
  readonly seed?: (it: TestApp) => Promise<unknown>
}

/**
 * Runs the rows against one app, in order. The title begins with the method and path that they call; rows use different
 * addresses.
 */
export function scenarios(title: string, rows: readonly Scenario[], { seed, ...options }: ScenarioOptions = {}): void {
  const [route] = /^[A-Z]+ [^\s:]+/.exec(title) ?? [""]
  describe(title, () => {
    let it: TestApp
    beforeAll(async () => {
      it = await startTestApp(options)
      await seed?.(it)
    })
    afterAll(() => it.close())

    test.each(rows.map((row) => [row.name, row] as const))("%s", async (_, row) => {
      await row.given?.(it)
      const before = await countEffects(it)
      const answer = await it.api(row.route ?? route, row)
      const after = await countEffects(it)
      expect([answer.status, codeOf(answer)]).toEqual([row.status, row.code])
      if (row.fields || row.status === 422) expect(fieldsOf(answer)).toEqual({ ...row.fields })
      if (row.answer) expect(answer.body).toMatchObject(row.answer)
      expect(gained(before, after)).toEqual({
        events: { ...row.events },
        mails: row.mails ?? 0,
        contacts: row.contacts ?? 0,
      })
      await row.afterwards?.(it, answer)
    })
  })
}

/** The validation items of a response, as field and code. */
export const fieldsOf = ({ body }: ApiAnswer): Record<string, string> =>
  Object.fromEntries(
    (body?.error?.errors ?? []).map((item: { field: string; code: string }) => [item.field, item.code]),
  )

const codeOf = ({ body }: ApiAnswer): string | undefined => body?.error?.code

/** Counts of the effects of requests in the store. */
interface Effects {
  readonly events: Readonly<Record<string, number>>
  readonly mails: number
  readonly contacts: number
}

export async function countEffects({ app }: TestApp): Promise<Effects> {
  const { read } = app.store
  const events = await read.select({ name: eventTable.name, count: count() }).from(eventTable).groupBy(eventTable.name)
  return {
    events: Object.fromEntries(events.map((row) => [row.name, row.count])),
    mails: await read.$count(emailTable),
    contacts: await read.$count(contactTable),
  }
}

export function gained(before: Effects, after: Effects): Effects {
  const grown = Object.entries(after.events)
    .map(
      ([name, total]) => [name, total - (Object.hasOwn(before.events, name) ? (before.events[name] ?? 0) : 0)] as const,
    )
    .filter(([, more]) => more !== 0)
  return {
    events: Object.fromEntries(grown),
    mails: after.mails - before.mails,
    contacts: after.contacts - before.contacts,
  }
}

/** Stores a template as its endpoint would. */
export async function addTemplate(
  { app, project }: TestApp,
  template: Pick<Template, "id"> & Partial<Template>,
): Promise<void> {
  await app.store.write("instance", async (unit) => {
    await unit.db.insert(templateTable).values({
      projectId: project.id,
      name: "Welcome",
      subject: "Template subject",
      body: "<p>Template body</p>",
      from: "template@acme.test",
      type: "TRANSACTIONAL",
      createdAt: unit.now,
      updatedAt: unit.now,
      ...template,
    })
  })
}

/** Every stored event, or those of a condition, oldest first. */
export const storedEvents = async ({ app }: TestApp, where?: SQL): Promise<Event[]> =>
  (await app.store.read.select().from(eventTable).where(where).orderBy(eventTable.id)).map(wholeEvent)
