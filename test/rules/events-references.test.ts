import { afterAll, beforeAll, expect, test } from "bun:test"
import { byServer } from "../../src/modules/audit/index.ts"
import { createEvents } from "../../src/modules/events/index.ts"
import type { References } from "../../src/references.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedEvents } from "../harness/events.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const vip = { id: "s", name: "VIP" }
const welcome = { id: "w", name: "Welcome" }
const wait = { id: "step", name: "Wait", within: welcome }

/**
 * Answers as if the segment VIP named `purchase`, and the enabled workflow Welcome started with `signup` and waited for
 * it.
 */
const references: References = {
  add: () => {},
  async to(_, projectId, { kind, key }) {
    if (projectId !== it.project.id || kind !== "event") return []
    if (key === "purchase")
      return [
        { by: "segment", ...vip, blocks: false },
        { by: "workflowStep", ...wait, blocks: false },
      ]
    return key === "signup"
      ? [
          { by: "workflow", ...welcome, blocks: true },
          { by: "workflowStep", ...wait, blocks: false },
        ]
      : []
  },
}

const events = () =>
  createEvents(
    { ...it.app, ids: it.ids, references },
    {
      contacts: it.app.contacts,
      audit: { record: async () => {} },
      record: async () => "",
      hasEmail: async () => false,
    },
  ).actions

test("the usage of a name lists the segments and workflows that name it, each once, and whether it can be deleted", async () => {
  expect(await events().usage(it.project.id, "purchase")).toEqual({
    segments: [vip],
    workflows: [welcome],
    totalCount: 0,
    uniqueContacts: 0,
    canDelete: true,
  })
  expect(await events().usage(it.project.id, "signup")).toMatchObject({
    segments: [],
    workflows: [welcome],
    canDelete: false,
  })
  expect(await events().usage(it.project.id, "visit")).toMatchObject({ segments: [], workflows: [], canDelete: true })
})

test("a name that an enabled workflow starts with is not deleted, one that a segment names is (contract B4.2.8)", async () => {
  await seedEvents(it, 3, (at) => ({ name: at === 0 ? "signup" : "purchase" }))
  expect(events().drop(it.project.id, "signup", byServer)).rejects.toMatchObject({ kind: "conflict", code: "CONFLICT" })
  expect((await it.api("GET /events?eventName=signup")).body.total).toBe(1)
  expect(await events().drop(it.project.id, "purchase", byServer)).toBe(2)
})
