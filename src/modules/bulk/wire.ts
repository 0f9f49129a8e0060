import { type Static, Type as t } from "@sinclair/typebox"
import { about, id, named, oneOf } from "../../http/openapi/describe.ts"
import { isGiven, optional, requiredFault, shape, text, withRules } from "../../http/schema.ts"
import { progressOf } from "../../jobs/tracked/status.ts"
import { exampleJobId, jobFields } from "../../jobs/tracked/wire.ts"
import { iso, isoOrNull } from "../../kernel/clock.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import { isObject } from "../../kernel/json.ts"
import { needleOf } from "../contacts/index.ts"
import type { BulkReport } from "./actions.ts"
import { operations, type Selection } from "./table.ts"

const maxIds = 1_000
const maxExcluded = 10_000

const fields = named(
  "BulkRequest",
  shape({
    mode: about("Left out: `ids`.", optional(t.Union([t.Literal("ids"), t.Literal("query")]))),
    contactIds: about(`With mode \`ids\`: 1 to ${maxIds} of them.`, optional(t.Array(text({ form: "id" })))),
    filter: about(
      "With mode `query`: which contacts; `{}` is all of them.",
      optional(
        shape({
          search: about("Part of the address.", optional(text({ max: 255 }))),
          find: about(
            "Instead of `search`: text in the address or in a text or number of `data`.",
            optional(text({ max: 255 })),
          ),
          subscribed: optional(t.Boolean()),
        }),
      ),
    ),
    excludeIds: about("With mode `query`: which contacts to leave out.", optional(t.Array(text({ form: "id" })))),
  }),
  { contactIds: ["0199c0de-0000-7000-8000-00000000000a"] },
)

/** Contract A5.17.1. Fields that a mode does not use may be left out, and their size is not checked. */
export const bulkBody = withRules(fields, ({ mode, contactIds, filter, excludeIds }) => {
  if (mode === "query")
    return [
      ...(isGiven(filter) ? filterFaults(filter) : [requiredFault("filter")]),
      ...sizeFaults("excludeIds", excludeIds, 0, maxExcluded),
    ]
  if (isGiven(mode) && mode !== "ids") return []
  return isGiven(contactIds) ? sizeFaults("contactIds", contactIds, 1, maxIds) : [requiredFault("contactIds")]
})

const filterKeys = ["search", "find", "subscribed"]

/**
 * Refuses unknown and conflicting filters, because ignoring one would select more contacts than were asked for
 * (contract A5.17.1).
 */
function filterFaults(filter: unknown): Fault[] {
  const given = isObject(filter) ? filter : {}
  const unknown = Object.keys(given)
    .filter((key) => !filterKeys.includes(key))
    .map((key) => fault(`filter.${key}`, "custom", `filter.${key} is not known here: use ${filterKeys.join(", ")}.`))
  if (!given.search || !given.find) return unknown
  return [...unknown, fault("filter.search", "custom", "filter.search and filter.find cannot be combined.")]
}

function sizeFaults(field: string, list: unknown, least: number, most: number): Fault[] {
  if (!Array.isArray(list)) return []
  if (list.length < least) return [fault(field, "too_small", `${field} must have at least ${least} item.`)]
  if (list.length > most) return [fault(field, "too_big", `${field} must have at most ${most} items.`)]
  return []
}

export function selectionIn({ mode, contactIds, filter, excludeIds }: Static<typeof fields>): Selection {
  if (mode !== "query") return { mode: "ids", ids: idsIn(contactIds) }
  const find = filter?.find?.trim()
  const text = find ? undefined : filter?.search?.trim()
  const search = text ? needleOf(text) : undefined
  // No address can contain the text: the query finds no contact.
  if (text && search === undefined) return { mode: "ids", ids: [] }
  return {
    mode: "query",
    filter: {
      ...(find ? { find } : {}),
      ...(search === undefined ? {} : { search }),
      ...(typeof filter?.subscribed === "boolean" ? { subscribed: filter.subscribed } : {}),
    },
    excludeIds: idsIn(excludeIds),
  }
}

/** A repeated id counts once (contract A5.17.2); the schema has checked that they are ids. */
const idsIn = (given: readonly string[] | null | undefined): string[] => [
  ...new Set((given ?? []).flatMap((text) => parseId(text) ?? [])),
]

const { jobId, status, progress, createdAt, finishedAt } = jobFields

export const bulkSchema = named(
  "BulkJob",
  t.Object({
    jobId,
    status,
    operation: oneOf(operations),
    total: t.Integer(),
    processed: t.Integer(),
    succeeded: about("Contacts that had that state already are among them.", t.Integer()),
    failed: t.Integer(),
    progress,
    errors: t.Array(t.Object({ contactId: id(), reason: oneOf(["not_found"]) })),
    createdAt,
    finishedAt,
  }),
)

export const bulkExample: Static<typeof bulkSchema> = {
  jobId: exampleJobId,
  status: "completed",
  operation: "unsubscribe",
  total: 2,
  processed: 2,
  succeeded: 1,
  failed: 1,
  progress: 100,
  errors: [{ contactId: "0199c0de-0000-7000-8000-00000000000b", reason: "not_found" }],
  createdAt: "2026-01-31T09:15:00.000Z",
  finishedAt: "2026-01-31T09:15:01.000Z",
}

export function presentBulk(job: BulkReport): Static<typeof bulkSchema> {
  const processed = job.succeeded + job.failed
  return {
    jobId: job.id,
    status: job.status,
    operation: job.operation,
    total: job.total,
    processed,
    succeeded: job.succeeded,
    failed: job.failed,
    progress: progressOf(job.status, processed, job.total),
    errors: job.errors.map(({ contactId, reason }) => ({ contactId, reason })),
    createdAt: iso(job.createdAt),
    finishedAt: isoOrNull(job.finishedAt),
  }
}
