import { expect, test } from "bun:test"
import { figures, sources } from "../../src/modules/activity/sources.ts"
import { sumDays, sumKinds } from "../../src/modules/activity/tally.ts"
import { listUpcoming } from "../../src/modules/activity/upcoming.ts"
import { listSent, sumDomains, sumNames } from "../../src/modules/analytics/store.ts"
import type { Db } from "../../src/store/database.ts"
import { queryPlans } from "../harness/plans.ts"

const { plan } = queryPlans(/^$/)
const span = { projectId: "p", from: 1 }
// Entries of the same millisecond lie together, and these alone are sorted by id.
const byId = "USE TEMP B-TREE FOR LAST TERM OF ORDER BY"

const indexes: Record<string, string> = {
  "email.sent": "email_sent_at (project_id=? AND sent_at",
  "email.delivered": "email_delivered_at (project_id=? AND delivered_at",
  "email.opened": "email_opened_at (project_id=? AND opened_at",
  "email.clicked": "email_clicked_at (project_id=? AND clicked_at",
  "email.bounced": "email_bounced_at (project_id=? AND bounced_at",
  "email.complaint": "email_complained_at (project_id=? AND complained_at",
  "email.received": "email_received_at (project_id=? AND created_at",
  "event.triggered": "event_plain (project_id=? AND created_at",
  "contact.subscribed": "event_name (project_id=? AND name=? AND created_at",
  "contact.unsubscribed": "event_name (project_id=? AND name=? AND created_at",
  "campaign.scheduled": "campaign_scheduled_at (project_id=? AND scheduled_at",
  "campaign.sent": "campaign_sent_at (project_id=? AND sent_at",
  "workflow.started": "workflow_execution_started (project_id=? AND started_at",
  "workflow.completed": "workflow_execution_completed (project_id=? AND completed_at",
  "event.email": "event_name (project_id=? AND name=? AND created_at",
  "sent.opened": "email_sent_at (project_id=? AND sent_at",
  "sent.clicked": "email_sent_at (project_id=? AND sent_at",
  "opened.machine": "email_opened_at (project_id=? AND opened_at",
}

test.each(sources.map((source) => [source.type, source] as const))(
  "a page of %s reads only the necessary rows",
  async (type, source) => {
    const lines = await plan((db) => source.list(db, span, { at: 2, id: "x" }, 20))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain(`USING INDEX ${indexes[type]}`)
    expect(lines[1]).toBe(byId)
  },
)

test.each([...sources, ...Object.values(figures)].map((one) => [one.type, one] as const))(
  "a count of %s reads only the rows of its period",
  async (type, one) => {
    const lines = await plan((db) => one.count(db, span, 2))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`USING ${one.isCovered ? "COVERING INDEX" : "INDEX"} ${indexes[type]}`)
  },
)

test("what is planned is found by its time", async () => {
  const lines = await plan((db) => listUpcoming(db, "p", 2, 20))
  const searches = lines.filter((line) => line.startsWith("SEARCH workflow_execution"))
  expect(searches).toHaveLength(1)
  expect(searches[0]).toContain("workflow_execution_planned (project_id=? AND status=? AND due_at")
  expect(lines).not.toContain("USE TEMP B-TREE FOR ORDER BY")
  // Many executions may be due in the same millisecond.
  expect(lines.slice(lines.indexOf(searches[0] ?? "")).filter((line) => line.startsWith("USE TEMP"))).toEqual([])
})

test("what belongs to a contact is found by the contact", async () => {
  const withContact = { ...span, contactId: "c" }
  for (const source of sources) {
    const lines = await plan(async (db) => {
      await db.get("SELECT 1")
      await source.list(db, withContact, { at: 2, id: "x" }, 20)
      await source.count(db, withContact, 2)
    })
    const searches = lines.filter((line) => line.startsWith("SEARCH"))
    expect(searches).toHaveLength(source.record === "campaign" ? 0 : 2)
    for (const line of searches) expect(line).toContain("(contact_id=?")
  }
})

test.each<[what: string, work: (db: Db) => PromiseLike<unknown>, line: string]>([
  [
    "the sum of each kind",
    (db) => sumKinds(db, "p", ["email.sent", "email.opened"], { from: 1, to: 2 }),
    "SEARCH activity_tally USING PRIMARY KEY (project_id=? AND kind=? AND hour>? AND hour<?)",
  ],
  [
    "the sum of each kind by day",
    (db) => sumDays(db, "p", ["email.sent", "email.opened"], { from: 1, to: 2 }),
    "SEARCH activity_tally USING PRIMARY KEY (project_id=? AND kind=? AND hour>? AND hour<?)",
  ],
  [
    "the sum of each event",
    (db) => sumNames(db, "p", { from: 1, to: 2 }),
    "SEARCH event_day USING PRIMARY KEY (project_id=? AND day>? AND day<?)",
  ],
  [
    "the sums of each domain",
    (db) => sumDomains(db, "p", { from: 1, to: 2 }, 10),
    "SEARCH domain_day USING PRIMARY KEY (project_id=? AND day>? AND day<?)",
  ],
  [
    "the campaigns of a span",
    (db) => listSent(db, "p", { from: 1, to: 2 }),
    "SEARCH campaign USING INDEX campaign_sent_at (project_id=? AND sent_at>? AND sent_at<?)",
  ],
])("%s reads only the days of its span", async (_, work, line) => {
  expect(await plan(work)).toContain(line)
})
