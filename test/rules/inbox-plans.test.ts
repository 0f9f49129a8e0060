import { expect, test } from "bun:test"
import { nilId } from "../../src/kernel/ids.ts"
import { countMarked } from "../../src/modules/inbox/marks.ts"
import { queryPlans } from "../harness/plans.ts"

const { plan } = queryPlans(/^(SCAN CONSTANT|MATERIALIZE|CO-ROUTINE|CORRELATED)/)

test.each([true, false])("marks are counted by reading marks, not messages (read: %p)", async (read) => {
  const found = await plan((db) => countMarked(db, { projectId: nilId, read, upTo: nilId }))
  expect(found).toEqual([
    expect.stringMatching(/^SEARCH inbox_mark USING INDEX .*\(project_id=\? AND row_id[<>]\?\)$/),
    expect.stringMatching(/^SEARCH email USING INDEX .*\bid=\?\)$/),
  ])
})
