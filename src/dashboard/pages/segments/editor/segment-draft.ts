import { noRefusal, refusalOf } from "../../../api/refusal.ts"
import { changeSegment, createSegment, getSegment, type Segment, type SegmentType } from "../../../api/segments.ts"
import {
  type ConditionContent,
  type ConditionState,
  conditionContent,
  conditionOf,
  isConditionChanged,
  useCondition,
} from "../../../parts/condition/use-condition.ts"
import { type Draft, type DraftKind, useDraft } from "../../../parts/draft/use-draft.ts"
import { cacheSegment } from "../../../queries/segments.ts"

/** The editable content of a segment; the condition only where the type is DYNAMIC. */
interface SegmentContent {
  readonly name: string
  readonly description: string
  readonly trackMembership: boolean
  readonly condition: ConditionContent
}

export interface SegmentDraft extends Draft<Segment, SegmentContent, null> {
  readonly condition: ConditionState
}

const contentOf = (segment: Segment | null, before?: SegmentContent): SegmentContent => ({
  name: segment?.name ?? "",
  description: segment?.description ?? "",
  trackMembership: segment?.trackMembership ?? false,
  condition: conditionContent(segment?.condition ?? null, before?.condition),
})

const plainOf = ({ name, description, trackMembership }: SegmentContent) => ({
  name: name.trim(),
  description: description.trim() || null,
  trackMembership,
})

const changedPlain = (content: SegmentContent, base: Segment | null) => {
  const [wanted, stored] = [plainOf(content), plainOf(contentOf(base, content))]
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => stored[name as keyof typeof stored] !== value),
  )
}

const texts = {
  "name:too_small": "A segment needs a name.",
  "name:too_big": "At most 100 characters.",
  "description:too_big": "At most 500 characters.",
}

function kindOfType(type: SegmentType): DraftKind<Segment, SegmentContent, null> {
  const isDynamic = type === "DYNAMIC"
  // While it has no type yet, the condition is kept, for the other type may be chosen again.
  const isOtherCondition = ({ condition }: SegmentContent, base: Segment | null) =>
    (isDynamic || base === null) && isConditionChanged(condition, base?.condition ?? null)
  const create = (projectId: string, content: SegmentContent): Promise<Segment> => {
    const condition = isDynamic ? conditionOf(content.condition) : null
    return createSegment(projectId, { ...plainOf(content), ...(condition ? { condition } : {}), type })
  }
  return {
    noun: "segment",
    pathOf: (segment) => `/segments/${segment?.id ?? "new"}`,
    contentOf,
    isChanged: (content, base) =>
      Object.keys(changedPlain(content, base)).length > 0 || isOtherCondition(content, base),
    lacks({ name, condition }) {
      const faults: Record<string, string> = {}
      if (name.trim() === "") faults.name = "Give it a name."
      if (isDynamic && conditionOf(condition) === null)
        faults.other = condition.draft.items.length === 0 ? "Add a condition" : "Not complete yet"
      return Object.keys(faults).length > 0 ? { ...noRefusal, faults } : null
    },
    load: getSegment,
    save(projectId, content, stored) {
      if (stored === null) return create(projectId, content)
      const sent = isDynamic ? conditionOf(content.condition) : null
      const condition = sent && isOtherCondition(content, stored) ? { condition: sent } : {}
      return changeSegment(projectId, stored.id, { ...changedPlain(content, stored), ...condition })
    },
    // a list would come back without its members
    ...(isDynamic && { createAgain: create }),
    cache: cacheSegment,
    refusalOf: (cause) => refusalOf(cause, { fields: ["name", "description"], texts, condition: "condition" }),
  }
}

const kinds = { DYNAMIC: kindOfType("DYNAMIC"), STATIC: kindOfType("STATIC") }

/** The draft of a segment; null is one that has yet to be created. */
export function useSegmentDraft(segment: Segment | null, type: SegmentType, isGone = false): SegmentDraft {
  const draft = useDraft(segment, kinds[type], isGone)
  const { content, base, edit } = draft
  const condition = useCondition(content.condition, base?.condition ?? null, (condition) => edit({ condition }))
  return { ...draft, condition }
}
