import type { Audience } from "../segments/index.ts"
import { type AudienceFields, needsSubscription } from "./rules.ts"

/** Whom a campaign is for, its conditions evaluated at `at` (contract B1.5). */
export function audienceOf({ type, audienceType, segmentId, audienceCondition }: AudienceFields, at: number): Audience {
  const who = { subscribedOnly: needsSubscription(type), at }
  if (audienceType === "SEGMENT" && segmentId !== null) return { kind: "SEGMENT", segmentId, ...who }
  if (audienceType === "FILTERED" && audienceCondition !== null)
    return { kind: "FILTERED", condition: audienceCondition, ...who }
  if (audienceType === "ALL") return { kind: "ALL", ...who }
  throw new Error("A campaign lacks what its audience goes by.")
}
