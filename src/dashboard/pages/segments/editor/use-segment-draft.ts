import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import {
  changeSegment,
  createSegment,
  type Segment,
  type SegmentFields,
  type SegmentType,
} from "../../../api/segments.ts"
import { useUnsaved } from "../../../context/leave-guard.ts"
import { useSession } from "../../../context/session.ts"
import { noRefusal, type Refusal, refusalOf } from "../../../parts/condition/faults.ts"
import { type ConditionState, useCondition } from "../../../parts/condition/use-condition.ts"
import { keepSegment } from "../../../queries/segments.ts"

/** What is edited of a segment beside its condition. */
export interface PlainFields {
  readonly name: string
  readonly description: string
  readonly trackMembership: boolean
}

export interface SegmentDraft {
  readonly fields: PlainFields
  readonly condition: ConditionState
  readonly isDirty: boolean
  readonly saving: boolean
  readonly refusal: Refusal
  /** Saving was tried, so what is lacking is to be pointed at. */
  readonly isTried: boolean
  edit(part: Partial<PlainFields>): void
  /** Resolves to the segment as it is stored now; null when it is not. */
  save(): Promise<Segment | null>
}

const plainOf = (segment: Segment | null): PlainFields => ({
  name: segment?.name ?? "",
  description: segment?.description ?? "",
  trackMembership: segment?.trackMembership ?? false,
})

/** A segment as it stands in the editor. Null is one that has yet to be created. */
export function useSegmentDraft(segment: Segment | null, type: SegmentType): SegmentDraft {
  const { project } = useSession()
  const client = useQueryClient()
  const [changes, setChanges] = useState<Partial<PlainFields>>({})
  const [refused, setRefused] = useState<Refusal & { readonly text: string }>({ ...noRefusal, text: "" })
  const [isTried, setTried] = useState(false)
  const [saving, setSaving] = useState(false)
  const condition = useCondition(segment?.condition ?? null)
  const stored = plainOf(segment)
  const fields = { ...stored, ...changes }
  const isDynamic = type === "DYNAMIC"
  const isPlainChanged =
    fields.name.trim() !== stored.name ||
    fields.description.trim() !== stored.description ||
    fields.trackMembership !== stored.trackMembership
  const isDirty = isPlainChanged || (isDynamic && condition.isChanged)
  const path = `/app/segments/${segment?.id ?? "new"}`
  useUnsaved(isDirty, (to) => to === path)

  const lacks = (): Refusal | null => {
    const name = fields.name.trim() === "" ? { name: "How shall it be called?" } : {}
    const isComplete = !isDynamic || condition.condition !== null
    if (isComplete && !name.name) return null
    const nothing = condition.draft.items.length === 0
    return {
      condition: [],
      ...name,
      ...(isComplete ? {} : { other: nothing ? "Add a condition" : "Not complete yet" }),
    }
  }
  const send = (): Promise<Segment> => {
    const sent: SegmentFields = {
      name: fields.name.trim(),
      description: fields.description.trim() || null,
      trackMembership: fields.trackMembership,
      ...(isDynamic ? { condition: condition.condition } : {}),
    }
    return segment
      ? changeSegment(project.id, segment.id, changedPart(segment, sent, condition.isChanged))
      : createSegment(project.id, { ...sent, type })
  }

  return {
    fields,
    condition,
    isDirty,
    saving,
    refusal: {
      ...refused,
      condition: refused.text === condition.text ? refused.condition : [],
      ...(isTried ? lacks() : {}),
    },
    isTried,
    edit(part) {
      setChanges((now) => ({ ...now, ...part }))
      setRefused(({ condition: faults, text, ...said }) => ({
        ...Object.fromEntries(Object.entries(said).filter(([name]) => name !== "other" && !(name in part))),
        condition: faults,
        text,
      }))
    },
    async save() {
      setTried(true)
      setRefused({ ...noRefusal, text: "" })
      if (lacks()) return null
      if (segment && !isDirty) return segment
      setSaving(true)
      try {
        const saved = await send()
        keepSegment(client, project.id, saved)
        // what was typed while the request was under way stays changed
        setChanges((now) => (now === changes ? {} : now))
        setTried(false)
        return saved
      } catch (cause) {
        setRefused({ ...refusalOf(cause), text: condition.text })
        return null
      } finally {
        setSaving(false)
      }
    },
  }
}

function changedPart(segment: Segment, sent: SegmentFields, withCondition: boolean): Partial<SegmentFields> {
  const { condition, ...plain } = sent
  const changed = Object.entries(plain).filter(([name, value]) => segment[name as keyof typeof plain] !== value)
  return { ...Object.fromEntries(changed), ...(withCondition && condition !== undefined ? { condition } : {}) }
}
