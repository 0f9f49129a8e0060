import { type Static, Type as t } from "@sinclair/typebox"
import type { ConditionJson } from "../../conditions/index.ts"
import { BareError } from "../../http/envelope.ts"
import { about, anyObject, named } from "../../http/openapi/describe.ts"
import { optional, shape, text, textFault, withRules } from "../../http/schema.ts"
import { iso } from "../../kernel/clock.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { isObject } from "../../kernel/json.ts"
import { conditionExample, conditionText, type segmentSchema } from "./document.ts"
import { type SegmentChange, type SegmentFields, slugOf } from "./rules.ts"
import { type Segment, type SegmentType, segmentTypes } from "./table.ts"

/** Contract A9, row 12; names are trimmed first. */
const nameRule = { min: 1, max: 100 }
const description = () => text({ max: 500 })
const condition = () => about(conditionText, shape({}))

/** The body of `POST /segments` (contract B3.2.2). */
export const newSegmentBody = withRules(
  named(
    "SegmentRequest",
    shape({
      name: about("1 to 100 characters.", text()),
      description: optional(description()),
      // Its values are checked by a rule: a union of literals would report another JSON type as a wrong choice.
      type: about("`DYNAMIC` when left out.", optional(t.Unsafe<SegmentType>({ ...text(), enum: [...segmentTypes] }))),
      condition: about(`${conditionText} Ignored where the type is \`STATIC\`.`, optional(t.Unknown(anyObject()))),
      trackMembership: about("Record joining and leaving as events. False when left out.", optional(t.Boolean())),
    }),
    { name: "Trial users", condition: { ...conditionExample }, trackMembership: true },
  ),
  ({ name, type }) => [...nameFaults(name), ...typeFaults(type)],
)

/** The body of `PATCH /segments/{id}` (contract B3.2.4). */
export const segmentChangeBody = withRules(
  named(
    "SegmentChange",
    shape({
      name: t.Optional(text()),
      description: optional(description()),
      condition: t.Optional(condition()),
      trackMembership: t.Optional(t.Boolean()),
    }),
    { name: "Trial users of this year" },
  ),
  ({ name }) => nameFaults(name),
)

function nameFaults(name: unknown): Fault[] {
  const wrong = typeof name === "string" ? textFault(nameRule, name.trim()) : undefined
  return wrong ? [fault("name", wrong.code, `name ${wrong.message}.`)] : []
}

const typeFaults = (type: unknown): Fault[] =>
  typeof type !== "string" || segmentTypes.some((one) => one === type)
    ? []
    : [fault("type", "invalid_enum", `type must be one of ${segmentTypes.join(", ")}.`)]

/** Throws a bare error for a DYNAMIC segment without a condition, before its shape is checked (contract B3.2.2). */
export function requireCondition(sent: unknown): void {
  const { type, condition } = (sent ?? {}) as Record<string, unknown>
  if ((type ?? "DYNAMIC") === "DYNAMIC" && !isObject(condition))
    throw new BareError("condition is required for a DYNAMIC segment.")
}

export const fieldsIn = (sent: Static<typeof newSegmentBody>): SegmentFields => ({
  name: sent.name.trim(),
  description: sent.description ?? null,
  type: sent.type ?? "DYNAMIC",
  condition: sent.condition as ConditionJson,
  trackMembership: sent.trackMembership ?? false,
})

export const changeIn = (sent: Static<typeof segmentChangeBody>): SegmentChange => ({
  name: sent.name?.trim(),
  description: sent.description,
  condition: sent.condition as ConditionJson | undefined,
  trackMembership: sent.trackMembership,
})

const maxEmails = 1_000
const emails = () => t.Array(text({ form: "address" }), { minItems: 1, maxItems: maxEmails })

/** The body of `POST /segments/{id}/members` (contract B3.3). */
export const newMembersBody = named(
  "NewMembers",
  shape({
    emails: emails(),
    createMissing: about("Create contacts for addresses that have none. False when left out.", optional(t.Boolean())),
    subscribed: about("The state of created contacts. True when left out.", optional(t.Boolean())),
  }),
  { emails: ["ada@example.com"], createMissing: true },
)

/** The body of `DELETE /segments/{id}/members`. */
export const formerMembersBody = named("FormerMembers", shape({ emails: emails() }), { emails: ["ada@example.com"] })

export const creationIn = ({ createMissing, subscribed }: Static<typeof newMembersBody>) => ({
  createMissing: createMissing ?? false,
  subscribed: subscribed ?? true,
})

export const presentSegment = (segment: Segment): Static<typeof segmentSchema> => ({
  id: segment.id,
  name: segment.name,
  description: segment.description,
  type: segment.type,
  condition: segment.condition as Record<string, unknown> | null,
  trackMembership: segment.trackMembership,
  slug: slugOf(segment),
  memberCount: segment.memberCount,
  computeError: segment.computeError,
  projectId: segment.projectId,
  createdAt: iso(segment.createdAt),
  updatedAt: iso(segment.updatedAt),
})
