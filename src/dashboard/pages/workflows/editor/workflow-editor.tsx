import { notifications } from "@mantine/notifications"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { useLocation } from "wouter"
import type { StepType } from "../../../api/workflows.ts"
import { useCommands } from "../../../context/commands.tsx"
import { useDeparture } from "../../../context/leave-guard.ts"
import { useReturn } from "../../../context/return-focus.tsx"
import { useWorkflowFlow } from "../../../queries/workflows.ts"
import { lazyPart } from "../../../ui/on-demand.tsx"
import { useSaveKey } from "../../../ui/save.tsx"
import { useWorkflowActions } from "../use-workflow-actions.tsx"
import { AddMenu } from "./add-menu.tsx"
import { Canvas } from "./canvas/canvas.tsx"
import type { CanvasActions } from "./canvas/context.ts"
import { layoutOf } from "./canvas/layout.ts"
import { DraftNotice } from "./draft-notice.tsx"
import type { EditedWorkflow } from "./edited.ts"
import styles from "./editor.module.css"
import { editorCommands } from "./editor-commands.ts"
import { withConfig } from "./forms/step-form.ts"
import { TriggerForm } from "./forms/trigger-form.tsx"
import { exitsOf } from "./model/exits.ts"
import { type Graph, linkAt, linksTo, type Place, type Step, stepIn, triggerOf } from "./model/graph.ts"
import { addable } from "./model/kinds.ts"
import { Palette } from "./palette.tsx"
import { askRemoval } from "./removal.tsx"
import type { Trace } from "./simulation/trace.ts"
import { StepPanel } from "./step-panel.tsx"
import { useCanvasKeys } from "./use-canvas-keys.ts"
import { useMarks } from "./use-marks.ts"
import { useSteps } from "./use-steps.ts"
import { WorkflowBar } from "./workflow-bar.tsx"
import { useWorkflowDraft } from "./workflow-draft.ts"

interface OpenMenu {
  readonly place: Place
  readonly x: number
  readonly y: number
}

const SimulationPanel = lazyPart(() => import("./simulation/simulation-panel.tsx"))

/** A workflow as a graph that is edited, and what happens in it now. */
export default function WorkflowEditor({ item, isGone }: { item: EditedWorkflow; isGone: boolean }) {
  const { workflow } = item
  const [, go] = useLocation()
  const goBack = useReturn()
  const depart = useDeparture()
  const draft = useWorkflowDraft(item, isGone)
  const { flow } = draft.content
  const steps = useSteps(flow, (next) => draft.edit({ flow: next }))
  const stage = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [days, setDays] = useState<7 | 30 | null>(null)
  const [isSimulating, setSimulating] = useState(false)
  const [trace, setTrace] = useState<Trace | null>(null)
  const [isListed, setListed] = useState(false)
  const counts = useWorkflowFlow(item.id).data
  const { faults, marks } = useMarks(flow, draft.refusal.faults, counts, days, trace)
  const shape = shapeOf(flow)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape is all that the layout depends on
  const layout = useMemo(() => layoutOf(flow), [shape])
  const standing = (id: string): number => marks.people(id) ?? 0
  const actions = useWorkflowActions(workflow, () => void depart(() => goBack("/workflows")))

  const remove = (ids: readonly string[]) => {
    const found = ids.map((id) => stepIn(flow, id)).filter((step) => step !== undefined && step.type !== "TRIGGER")
    const [only] = found
    if (only && found.length === 1) askRemoval(flow, only, standing(only.id), (removal) => steps.remove(only, removal))
    else if (only) steps.removeAll(found.map((step) => step?.id ?? ""))
  }
  const addHere = (type: StepType) => {
    const place = steps.defaultPlace()
    if (place && !(type === "EXIT" && linkAt(flow, place))) return steps.add(place, type)
    notifications.show({ message: "Select a connection or an open end for the new step." })
  }
  const simulate = (wanted: boolean) => {
    setSimulating(wanted)
    setTrace(null)
  }
  const onKey = useCanvasKeys(stage, { flow, steps, place: placeInFocus, remove })
  const latest = useRef({ steps, flow, simulate })
  useEffect(() => {
    latest.current = { steps, flow, simulate }
  })
  const openMenu = useCallback((place: Place, button: HTMLElement) => {
    const [at, around] = [button.getBoundingClientRect(), stage.current?.getBoundingClientRect()]
    if (around) setMenu({ place, x: at.left - around.left, y: at.top - around.top })
  }, [])
  const canvas = useMemo(
    (): CanvasActions => ({
      choose(id, how) {
        // Its settings take the place of a simulation.
        latest.current.simulate(false)
        latest.current.steps.choose(id, how)
      },
      openMenu,
      showPeople: (stepId) => go(`/workflows/${item.id}/executions?step=${stepId}`),
      dropAt(place, dropped) {
        const { steps, flow } = latest.current
        const type = addable.find((known) => known === dropped.getData("application/x-mailstead-type"))
        const moved = dropped.getData("application/x-mailstead-step")
        if (type && !(type === "EXIT" && linkAt(flow, place))) steps.add(place, type)
        else if (moved) steps.move(moved, place)
      },
    }),
    [openMenu, go, item.id],
  )
  const save = () => void draft.save()
  useSaveKey(save)
  useCommands(
    editorCommands({
      steps,
      save,
      showFaults: () => setListed(true),
      add: addHere,
      run: () => go(`/workflows/${item.id}/executions`),
    }),
  )

  const { shown } = steps
  return (
    <main className={styles.page}>
      <WorkflowBar
        item={item}
        draft={draft}
        steps={steps}
        faults={faults}
        actions={actions}
        days={days}
        onDays={setDays}
        onSimulate={() => simulate(!isSimulating)}
        isListed={isListed}
        onListed={setListed}
        onStep={(id) => steps.choose(id, { more: false, byKey: true })}
      />
      <div className={styles.notices}>{!draft.gone && <DraftNotice item={item} draft={draft} faults={faults} />}</div>
      <div className={styles.work}>
        <Palette onAdd={addHere} />
        <div ref={stage} className={styles.stage}>
          <Canvas
            graph={flow}
            layout={layout}
            marks={marks}
            actions={canvas}
            chosen={steps.chosen}
            focus={steps.focus}
            inView={steps.inView}
            onKey={onKey}
            onMove={() => setMenu(null)}
          />
          {menu && (
            <AddMenu
              at={menu}
              hasNext={linkAt(flow, menu.place) !== undefined}
              targets={targetsFor(flow, menu.place)}
              onAdd={(type) => {
                setMenu(null)
                steps.add(menu.place, type)
              }}
              onConnect={(id) => {
                setMenu(null)
                steps.connect(menu.place, id)
              }}
              onDisconnect={
                linkAt(flow, menu.place)
                  ? () => {
                      setMenu(null)
                      steps.disconnect(menu.place)
                    }
                  : undefined
              }
              onClose={() => setMenu(null)}
            />
          )}
        </div>
        {isSimulating && (
          <SimulationPanel
            workflowId={item.id}
            graph={flow}
            onTrace={setTrace}
            onShow={steps.show}
            onClose={() => simulate(false)}
          />
        )}
        {shown && !isSimulating && (
          <StepPanel
            key={`${shown.id} ${steps.revision}`}
            step={shown}
            faults={faultsOf(faults, shown.id)}
            eventName={flow.triggerType === "EVENT" ? flow.eventName : ""}
            opened={steps.opened}
            onClose={steps.close}
            onConfig={(part) =>
              steps.editStep(shown.id, { config: withConfig(shown.config, part) }, Object.keys(part).join())
            }
            onStep={(part) => steps.editStep(shown.id, part, Object.keys(part).join())}
            onDuplicate={shown.type === "TRIGGER" ? undefined : () => steps.duplicate(shown)}
            onRemove={shown.type === "TRIGGER" ? undefined : () => remove([shown.id])}
            triggerForm={
              <TriggerForm
                workflowId={item.id}
                flow={flow}
                storedEvent={String(workflow.triggerConfig.eventName ?? "")}
                fault={faultsOf(faults, shown.id).eventName}
                onFlow={(part, key) => steps.edit(part, key === "" ? undefined : key)}
              />
            }
          />
        )}
      </div>
    </main>
  )
}

/** What the arrangement of a graph depends on, as a text. */
const shapeOf = ({ steps, links }: Graph): string =>
  JSON.stringify([steps.map((step) => [step.id, exitsOf(step)]), links])

const faultsOf = (faults: ReturnType<typeof useMarks>["faults"], id: string): Readonly<Record<string, string>> =>
  Object.fromEntries(faults.filter(({ stepId }) => stepId === id).map(({ key, text }) => [key, text]))

/** The steps that an exit can lead to: all but the trigger, its own step, and the one it leads to. */
function targetsFor(graph: Graph, place: Place): readonly Step[] {
  const next = linkAt(graph, place)?.to
  const trigger = triggerOf(graph)?.id
  return graph.steps
    .filter(({ id }) => id !== place.from && id !== next && id !== trigger)
    .toSorted((one, other) => linksTo(graph, one.id).length - linksTo(graph, other.id).length)
}

/** The place whose button has the focus. */
function placeInFocus(): Place | null {
  const stop = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.stop : undefined
  const [from, branch] = stop?.split(">") ?? []
  return from && branch !== undefined ? { from, branch } : null
}
