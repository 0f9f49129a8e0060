import { expect, test } from "bun:test"
import type { SQL } from "drizzle-orm"
import { endNotBegun } from "../../src/modules/emails/cancel/not-begun.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { isMadeBefore } from "../../src/store/dialect.ts"
import { queryPlans } from "../harness/plans.ts"

const plans = queryPlans(/json_each|LIST SUBQUERY/)
const id = crypto.randomUUID()

const plan = (of: Parameters<typeof endNotBegun>[2]["of"], where?: SQL) =>
  plans.plan((_, unit) =>
    endNotBegun(unit, { withdraw: () => true }, { of, where, status: "CANCELLED", error: "ended", limit: 100 }),
  )

test("mail of a campaign that has not begun to leave is found without a look at the rest of its mail, or of the project's", async () => {
  expect(await plan([emailTable.campaignId, id])).toEqual([
    "SEARCH email USING INDEX sqlite_autoindex_email_1 (id=?)",
    "SEARCH email USING COVERING INDEX email_campaign_pending (campaign_id=?)",
    "SEARCH email USING INDEX email_held (lease_until>?)",
  ])
})

test("mail of a project that has not begun to leave is found without a look at the rest of its mail", async () => {
  expect(await plan([emailTable.projectId, id], isMadeBefore(emailTable.id, id))).toEqual([
    "SEARCH email USING INDEX sqlite_autoindex_email_1 (id=?)",
    "SEARCH email USING COVERING INDEX email_status (project_id=? AND status=?)",
    "SEARCH email USING INDEX email_held (lease_until>?)",
  ])
})
