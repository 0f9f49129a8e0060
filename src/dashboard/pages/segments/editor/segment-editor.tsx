import { Button, Tabs, Textarea } from "@mantine/core"
import type { ReactNode } from "react"
import { useLocation } from "wouter"
import type { Segment } from "../../../api/segments.ts"
import { useCommands } from "../../../context/commands.tsx"
import { useDeparture } from "../../../context/leave-guard.ts"
import { useReturn } from "../../../context/return-focus.tsx"
import { AudiencePane } from "../../../parts/audience/audience-pane.tsx"
import { useAudience } from "../../../parts/audience/use-audience.ts"
import { addTo, newRule } from "../../../parts/condition/model/draft.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import { Note } from "../../../ui/note.tsx"
import { lazyPart } from "../../../ui/on-demand.tsx"
import { useSaveKey } from "../../../ui/save.tsx"
import tabs from "../../../ui/tabs.module.css"
import { useSegmentActions } from "../use-segment-actions.tsx"
import { EditorBar } from "./editor-bar.tsx"
import { editorCommands, type Part } from "./editor-commands.ts"
import { EmptyCondition } from "./empty-condition.tsx"
import { useSegmentDraft } from "./segment-draft.ts"
import styles from "./segment-editor.module.css"
import { Tracking } from "./tracking.tsx"
import { usePart } from "./use-part.ts"

const ConditionBuilder = lazyPart(() => import("../../../parts/condition/builder/condition-builder.tsx"))
const JsonView = lazyPart(() => import("../../../parts/condition/json/json-view.tsx"))
const Members = lazyPart(() => import("../members/members.tsx"))

const titles: Readonly<Record<Part, string>> = { rules: "Conditions", json: "JSON", members: "Members" }

interface SegmentEditorProps {
  /** Null for one that has yet to be created. */
  segment: Segment | null
  isGone?: boolean
  /** For a new one: the choice between conditions and a list. */
  typeChoice?: ReactNode
}

/** A segment with conditions: the conditions as rules or JSON, the contacts that match now, and its members. */
export function SegmentEditor({ segment, isGone, typeChoice }: SegmentEditorProps) {
  const [, go] = useLocation()
  const goBack = useReturn()
  const depart = useDeparture()
  const draft = useSegmentDraft(segment, "DYNAMIC", isGone)
  const { condition, refusal, content: fields } = draft
  const parts: readonly Part[] = segment ? ["rules", "json", "members"] : ["rules", "json"]
  const [part, setPart] = usePart(parts)
  const audience = useAudience(condition.condition)
  const actions = useSegmentActions(segment, () => void depart(() => goBack("/segments")))
  const faults = refusal.condition.length > 0 ? refusal.condition : audience.faults

  const save = async () => {
    const saved = await draft.save()
    if (!saved || segment) return
    depart(() => go(`/segments/${saved.id}${location.search}`, { replace: true }))
  }
  const addRule = () => {
    setPart("rules")
    if (condition.unreadable === null) condition.edit(addTo(condition.draft, condition.draft.id, newRule()))
  }
  useSaveKey(() => void save())
  useCommands(editorCommands({ segment, actions, parts, show: setPart, save: () => void save(), addRule }))

  return (
    <main className={styles.page} data-part={part}>
      <EditorBar segment={segment} draft={draft} actions={segment && actions} onSave={() => void save()} />
      <Tabs
        className={styles.work ?? ""}
        classNames={{ tab: tabs.tab ?? "", list: tabs.list ?? "" }}
        value={part}
        onChange={(value) => setPart(parts.find((one) => one === value) ?? "rules")}
        variant="none"
      >
        {segment?.computeError && (
          <div className={styles.notice}>
            <Note
              action={
                <Button variant="subtle" size="compact-sm" onClick={() => void actions.renew()}>
                  Count again
                </Button>
              }
            >
              The last count of the members was ended early, so their number may be old. {segment.computeError}
            </Note>
          </div>
        )}
        <div className={styles.tabBar}>
          <Tabs.List aria-label="Parts of the segment">
            {parts.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {titles[one]}
                {one === "members" && segment && (
                  <span className={styles.tabCount}>{segment.memberCount.toLocaleString("en")}</span>
                )}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {typeChoice}
        </div>
        <Tabs.Panel value="rules" className={styles.panel ?? ""}>
          <Textarea
            className={styles.note ?? ""}
            variant="unstyled"
            autosize
            minRows={1}
            maxRows={4}
            aria-label="Note"
            attributes={{ input: { dir: "auto" } }}
            placeholder="Add a note"
            value={fields.description}
            error={refusal.faults.description}
            onChange={(event) => draft.edit({ description: event.currentTarget.value })}
          />
          {condition.unreadable !== null ? (
            <Notice
              text={`The JSON cannot be shown as conditions. ${condition.unreadable}`}
              action="Back to the JSON"
              onAction={() => setPart("json")}
            />
          ) : condition.draft.items.length === 0 ? (
            <EmptyCondition draft={condition.draft} onChange={condition.edit} />
          ) : (
            <ConditionBuilder
              draft={condition.draft}
              onChange={condition.edit}
              faults={new Map([...(draft.isTried ? condition.lacking : []), ...condition.faultsOf(faults)])}
              ownId={segment?.id}
            />
          )}
          <Tracking
            segment={segment}
            type="DYNAMIC"
            name={fields.name}
            on={fields.trackMembership}
            onChange={(trackMembership) => draft.edit({ trackMembership })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="json" className={styles.panel ?? ""}>
          {part === "json" && <JsonView state={condition} faults={faults} ownId={segment?.id} />}
        </Tabs.Panel>
        {segment && (
          <Tabs.Panel value="members" className={styles.members ?? ""}>
            {part === "members" && <Members segment={segment} isBehind={condition.isChanged} actions={actions} />}
          </Tabs.Panel>
        )}
      </Tabs>
      {part !== "members" && (
        <AudiencePane
          state={audience}
          waiting={waitingFor(condition)}
          onAll={segment && !draft.isDirty ? () => setPart("members") : null}
        />
      )}
    </main>
  )
}

function waitingFor({
  condition,
  draft,
  unreadable,
  lacking,
}: ReturnType<typeof useSegmentDraft>["condition"]): string | null {
  if (condition !== null) return null
  if (unreadable !== null) return "Once the JSON can be read, those who match are counted here."
  if (draft.items.length === 0) return "With the first condition, those who match are counted here."
  return lacking.size === 1 ? "One condition is not complete yet." : `${lacking.size} conditions are not complete yet.`
}
