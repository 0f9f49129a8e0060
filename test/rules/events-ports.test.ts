import { afterAll, beforeAll, expect, test } from "bun:test"
import { events } from "../../src/modules/events/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedEvents } from "../harness/events.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const vip = { id: "s", name: "VIP" }
const welcome = { id: "w", name: "Welcome" }

/** Events in a house where the segment VIP names `purchase`, and the workflow Welcome waits for it and starts with `signup`. */
const room = () =>
  events(
    { ...it.app, ids: it.ids },
    {
      contacts: it.app.contacts,
      record: async () => "",
      hasMail: async () => false,
      usedInSegments: async (_, projectId, name) => (projectId === it.project.id && name === "purchase" ? [vip] : []),
      usedInWorkflows: async (_, projectId) => (projectId === it.project.id ? [welcome] : []),
      startsWorkflow: async (_, projectId, name) => projectId === it.project.id && name === "signup",
    },
  )

test("the use of a name tells the segments and workflows that name it, and whether it can be deleted", async () => {
  expect(await room().usage(it.project.id, "purchase")).toEqual({
    segments: [vip],
    workflows: [welcome],
    totalCount: 0,
    uniqueContacts: 0,
    canDelete: true,
  })
  expect(await room().usage(it.project.id, "signup")).toMatchObject({ segments: [], canDelete: false })
})

test("what an enabled workflow starts with is not deleted, what a segment names is (B4.2.8)", async () => {
  await seedEvents(it, 3, (at) => ({ name: at === 0 ? "signup" : "purchase" }))
  expect(room().drop(it.project.id, "signup")).rejects.toMatchObject({ kind: "conflict", code: "CONFLICT" })
  expect((await it.api("GET /events?eventName=signup")).body.total).toBe(1)
  expect(await room().drop(it.project.id, "purchase")).toBe(2)
})
