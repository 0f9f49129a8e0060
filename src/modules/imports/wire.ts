import { type Static, Type as t } from "@sinclair/typebox"
import { about, named, oneOf, orNull } from "../../http/openapi/describe.ts"
import { progressOf } from "../../jobs/tracked/status.ts"
import { exampleJobId, jobFields } from "../../jobs/tracked/wire.ts"
import { iso, isoOrNull } from "../../kernel/clock.ts"
import type { ImportReport } from "./actions.ts"
import { maxErrors, rowsDone } from "./store.ts"
import { importReasons } from "./table.ts"

const { jobId, status, progress, createdAt, finishedAt } = jobFields

const errorSchema = t.Object({
  row: about("The header is row 1; blank lines are not counted.", t.Integer()),
  email: about("As read; empty when there is none.", t.String()),
  reason: about(
    "`data_too_big`: the contact would hold more than 256 KB; `too_many_fields`: the project more than 1,000 custom fields.",
    oneOf(importReasons),
  ),
})

export const importSchema = named(
  "ImportJob",
  t.Object({
    jobId,
    status,
    totalRows: t.Integer(),
    imported: about("Rows that became contacts.", t.Integer()),
    updated: about("Rows whose contact was known.", t.Integer()),
    skipped: about("Rows that were left out; `errors` tells why.", t.Integer()),
    errors: about(`The first ${maxErrors} of the rows left out.`, t.Array(errorSchema)),
    progress,
    failedReason: about("What is wrong with the file.", orNull(t.String())),
    createdAt,
    finishedAt,
  }),
)

export const importExample: Static<typeof importSchema> = {
  jobId: exampleJobId,
  status: "completed",
  totalRows: 4,
  imported: 1,
  updated: 2,
  skipped: 1,
  errors: [{ row: 4, email: "not-an-email", reason: "invalid_email" }],
  progress: 100,
  failedReason: null,
  createdAt: "2026-01-31T09:15:00.000Z",
  finishedAt: "2026-01-31T09:15:01.000Z",
}

export const presentImport = (job: ImportReport): Static<typeof importSchema> => ({
  jobId: job.id,
  status: job.status,
  totalRows: job.totalRows,
  imported: job.imported,
  updated: job.updated,
  skipped: job.skipped,
  errors: job.errors.map(({ row, email, reason }) => ({ row, email, reason })),
  progress: progressOf(job.status, rowsDone(job), job.totalRows),
  failedReason: job.failedReason,
  createdAt: iso(job.createdAt),
  finishedAt: isoOrNull(job.finishedAt),
})
