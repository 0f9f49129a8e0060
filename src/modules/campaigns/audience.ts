import type { Audience } from "../segments/index.ts"
import { type AudienceFields, needsSubscription } from "./rules.ts"

/** The audience of a campaign, its conditions evaluated at `at`, ms (contract B1.5). */
export function audienceOf({ type, audienceType, segmentId, audienceCondition }: AudienceFields, at: number): Audience {
  const common = { subscribedOnly: needsSubscription(type), at }
  if (audienceType === "SEGMENT" && segmentId !== null) return { kind: "SEGMENT", segmentId, ...common }
  if (audienceType === "FILTERED" && audienceCondition !== null)
    return { kind: "FILTERED", condition: audienceCondition, ...common }
  if (audienceType === "ALL") return { kind: "ALL", ...common }
  throw new Error("The campaign has no segment or condition for its audience type.")
}
