import { expect, test } from "bun:test"
import { describe, kindOfItem } from "../../src/dashboard/parts/activity/describe.ts"

test.each([
  ["COMPLETED", "Workflow ended"],
  ["EXITED", "Workflow ended"],
  ["FAILED", "Workflow failed"],
  ["CANCELLED", "Workflow cancelled"],
])("an execution that is %s is told as such", (status, label) => {
  expect(kindOfItem({ type: "workflow.completed", metadata: { status } }).label).toBe(label)
})

test("other items are told by their type, and unknown types by their name", () => {
  const labels = ["email.sent", "workflow.started", "moon.full"].map((type) => kindOfItem({ type, metadata: {} }).label)
  expect(labels).toEqual(["Sent", "Workflow started", "moon.full"])
})

test("what unsubscribed a contact is told in words, as by its event", () => {
  const item = { id: "1", timestamp: "2026-07-20T09:30:00.000Z", contactId: "2", contactEmail: "ada@one.test" }
  const tell = (reason: string) => describe({ ...item, type: "contact.unsubscribed", metadata: { reason } })
  expect(["one_click", "bulk", "moon"].map(tell)).toEqual([
    "by one click in the mail program",
    "by a bulk change",
    "moon",
  ])
})
