import { type Static, Type as t } from "@sinclair/typebox"
import type { ConditionJson } from "../../conditions/index.ts"
import { about, anyObject, id, named, oneOf, orNull, time } from "../../http/openapi/describe.ts"
import { contactSchema } from "../contacts/index.ts"
import { segmentTypes } from "./table.ts"

export const conditionExample: ConditionJson = {
  logic: "AND",
  groups: [
    {
      filters: [
        { field: "data.plan", operator: "equals", value: "trial" },
        { field: "event.signed_in", operator: "triggeredWithin", value: 7, unit: "days" },
      ],
    },
  ],
}

export const conditionText =
  "A tree of filters: `logic` is `AND` or `OR` over `groups`; of a group all `filters`, and its nested `conditions`, must hold."

export const segmentSchema = named(
  "Segment",
  t.Object({
    id: id(),
    name: t.String(),
    description: orNull(t.String()),
    type: about(
      "The members of a `DYNAMIC` segment follow from its condition, those of a `STATIC` one are listed.",
      oneOf(segmentTypes),
    ),
    condition: orNull(about(conditionText, anyObject())),
    trackMembership: about("Joining and leaving are recorded as events.", t.Boolean()),
    slug: about("The name in the events `segment.<slug>.entry` and `segment.<slug>.exit`.", t.String()),
    memberCount: about("As last counted, at most some minutes ago.", t.Integer()),
    computeError: about(
      "Why the last count was ended early, such as a condition that takes too long.",
      orNull(t.String()),
    ),
    projectId: id(),
    createdAt: time(),
    updatedAt: time(),
  }),
)

export const segmentExample: Static<typeof segmentSchema> = {
  id: "0199c0de-0000-7000-8000-00000000000d",
  name: "Trial users",
  description: null,
  type: "DYNAMIC",
  condition: { ...conditionExample },
  trackMembership: true,
  slug: "trial-users",
  memberCount: 12,
  computeError: null,
  projectId: "0199c0de-0000-7000-8000-000000000001",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
}

const count = (description: string) => about(description, t.Integer())

export const addedSchema = named(
  "AddedMembers",
  t.Object({
    added: count("Addresses that are members now, including those that were before."),
    created: count("Contacts that were created."),
    notFound: about("Addresses without a contact, as sent.", t.Array(t.String())),
  }),
)

export const removedSchema = named("RemovedMembers", t.Object({ removed: count("Addresses that were members.") }))

export const computedSchema = named(
  "ComputedSegment",
  t.Object({
    added: count("Contacts that joined."),
    removed: count("Contacts that left."),
    total: count("Members now."),
  }),
)

export const refreshedSchema = named("RefreshedSegment", t.Object({ memberCount: t.Integer() }))

export const previewSchema = named(
  "ConditionPreview",
  t.Object({
    count: about("How many contacts match now.", t.Integer()),
    contacts: about("The newest of them, at most ten.", t.Array(contactSchema)),
  }),
)
