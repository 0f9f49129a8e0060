import { expect, test } from "bun:test"
import { kindOfItem } from "../../src/dashboard/parts/activity/describe.ts"

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
