import { expect, test } from "bun:test"
import type { Activity } from "../../src/dashboard/api/activity.ts"
import { describe, recordPath } from "../../src/dashboard/parts/activity/describe.ts"

const item = (type: string, metadata: Record<string, unknown>, contactId: string | null = "c"): Activity => ({
  id: "x",
  type,
  timestamp: "2026-01-31T09:15:00.000Z",
  contactId,
  contactEmail: contactId && "ada@example.com",
  metadata,
})

const mail = { emailId: "m", subject: "Hi", campaignName: null }
const campaign = { campaignId: "k", campaignName: "June" }
const execution = { workflowId: "w", workflowName: "Welcome", executionId: "e" }

test.each([
  [item("email.opened", mail), "Hi", "/inbox/m"],
  [item("email.sent", { ...mail, campaignName: "June" }), "Hi · June", "/inbox/m"],
  [item("event.triggered", { eventName: "buy", eventData: {} }), "buy", "/events?name=buy&contact=c"],
  [item("event.triggered", { eventName: "tick", eventData: {} }, null), "tick", "/events?name=tick"],
  [item("contact.unsubscribed", { reason: "complaint" }), "complaint", "/contacts/c"],
  [item("campaign.scheduled", campaign, null), "June", "/campaigns/k"],
  [item("workflow.started", execution), "Welcome", "/workflows/w/executions/e"],
  [item("workflow.waiting", { ...execution, stepName: "Rest" }), "Welcome · Rest", "/workflows/w/executions/e"],
])("an item says what it is about and leads to its record: %j", (one, said, path) => {
  expect([describe(one), recordPath(one)]).toEqual([said, path])
})
