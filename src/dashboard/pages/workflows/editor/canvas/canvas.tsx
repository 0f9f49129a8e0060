import "@xyflow/react/dist/base.css"
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react"
import { MiniMap, Panel, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from "@xyflow/react"
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef } from "react"
import { Tool } from "../../../../ui/tool.tsx"
import type { Graph } from "../model/graph.ts"
import { placeKey, triggerOf } from "../model/graph.ts"
import styles from "./canvas.module.css"
import { type CanvasActions, CanvasContext } from "./context.ts"
import { drawnEdges, drawnNodes, type Marks } from "./drawn.ts"
import { ExitEdge } from "./exit-edge.tsx"
import { type Layout, stepSize } from "./layout.ts"
import { neighbour } from "./neighbour.ts"
import { StepNode } from "./step-node.tsx"

const nodeTypes = { step: StepNode }
const edgeTypes = { exit: ExitEdge }
/** Longer workflows draw only what is in view. */
const manySteps = 150
const marginTop = 56
/** The width of the settings of a step, and that of a canvas that has room for them, in px. */
const panelWidth = 348
const roomForPanel = 800

interface CanvasProps {
  graph: Graph
  layout: Layout
  marks: Marks
  actions: CanvasActions
  /** The steps that are chosen, the last one last. */
  chosen: readonly string[]
  /** A step or a place to move the focus to, once; null for none. */
  focus: { readonly stop: string } | null
  /** A step that is to be in view; null for none. */
  inView: { readonly stop: string } | null
  /** Handles keys before the arrows do; true when it has. */
  onKey(event: KeyboardEvent<HTMLElement>): boolean
  /** A person has moved it. */
  onMove?(): void
  /** Shown over the canvas. */
  children?: ReactNode
}

/** The graph of a workflow from top to bottom: a map to pan and zoom, through which the arrow keys lead. */
export const Canvas = (props: CanvasProps) => (
  <ReactFlowProvider>
    <StepMap {...props} />
  </ReactFlowProvider>
)

function StepMap({ graph, layout, marks, actions, chosen, focus, inView, onKey, onMove, children }: CanvasProps) {
  const root = useRef<HTMLDivElement>(null)
  const nodes = useMemo(() => drawnNodes(graph, layout, marks, chosen), [graph, layout, marks, chosen])
  const edges = useMemo(() => drawnEdges(graph, layout, marks), [graph, layout, marks])
  const show = useShow(layout)
  const last = chosen.at(-1)
  const room = useStore(({ width, height }) => `${width} ${height}`)
  // beside or above the settings of the step
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown again when there is more or less room
  useEffect(() => {
    if (last) show(last)
  }, [last, room, show])
  const trigger = triggerOf(graph)

  const goTo = (stop: string) => {
    show(stop)
    const element = () => root.current?.querySelector<HTMLElement>(`[data-stop="${CSS.escape(stop)}"]`)
    const found = element()
    if (found) found.focus({ preventScroll: true })
    // one that is drawn only while it is in view
    else requestAnimationFrame(() => element()?.focus({ preventScroll: true }))
  }
  // once, and not again when a later change moves the steps: the focus may be in the settings then
  const goOnce = useEffectEvent(goTo)
  useEffect(() => {
    if (focus) goOnce(focus.stop)
  }, [focus])

  useEffect(() => {
    if (inView) show(inView.stop)
  }, [inView, show])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || onKey(event)) return
    const direction = directions[event.key]
    const stop = event.target instanceof HTMLElement ? event.target.dataset.stop : undefined
    if (!direction || !stop || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = neighbour(layout, stop, direction, actions.openMenu !== null)
    if (next) goTo(next)
  }
  return (
    <CanvasContext value={actions}>
      {/* biome-ignore lint/a11y/useSemanticElements: a map of steps is no fieldset */}
      <div
        ref={root}
        className={styles.canvas}
        role="group"
        aria-label="Steps, from one to the next by the arrow keys"
        data-own-arrows
        onKeyDown={onKeyDown}
      >
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          panOnScroll
          zoomOnDoubleClick={false}
          minZoom={0.2}
          maxZoom={1.5}
          onlyRenderVisibleElements={graph.steps.length > manySteps}
          proOptions={{ hideAttribution: true }}
          onInit={(flow) => {
            const width = root.current?.clientWidth ?? 0
            const zoom = width < 500 ? 0.85 : 1
            // the middle of what is left beside the settings of a step
            const middle = (width > roomForPanel ? width - panelWidth : width) / 2
            void flow.setViewport({ x: middle, y: marginTop + (stepSize.height / 2) * zoom, zoom })
          }}
          onMoveStart={(event) => event && onMove?.()}
        >
          <Arrow />
          <Overview layout={layout} />
          <ZoomTools onStart={trigger && (() => show(trigger.id))} />
          {children}
        </ReactFlow>
      </div>
    </CanvasContext>
  )
}

const directions: Readonly<Record<string, "up" | "down" | "left" | "right">> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
}

/** Moves a step or a place into view, unless it is there. */
function useShow(layout: Layout): (stop: string) => void {
  const flow = useReactFlow()
  const size = useRef({ width: 0, height: 0 })
  size.current = useStore(({ width, height }) => ({ width, height }), sameSize)
  return useCallback(
    (stop) => {
      const corner = layout.steps.get(stop)
      const middle = corner
        ? { x: corner.x + stepSize.width / 2, y: corner.y + stepSize.height / 2 }
        : layout.exits.find((exit) => placeKey(exit) === stop)?.middle
      if (!middle) return
      const { x, y, zoom } = flow.getViewport()
      const { width, height } = size.current
      const at = { x: middle.x * zoom + x, y: middle.y * zoom + y }
      const [besideX, besideY] = [Math.min(140, width / 3), Math.min(90, height / 3)]
      const dx = Math.max(besideX - at.x, 0) + Math.min(width - besideX - at.x, 0)
      const dy = Math.max(besideY - at.y, 0) + Math.min(height - besideY - at.y, 0)
      if (width > 0 && (dx !== 0 || dy !== 0)) void flow.setViewport({ x: x + dx, y: y + dy, zoom })
    },
    [layout, flow],
  )
}

const sameSize = (one: { width: number; height: number }, other: { width: number; height: number }): boolean =>
  one.width === other.width && one.height === other.height

const Arrow = () => (
  <svg className={styles.markers} aria-hidden="true">
    <defs>
      <marker id="workflow-arrow" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto">
        <path d="M 1 1 L 9 5 L 1 9 z" className={styles.arrow} />
      </marker>
    </defs>
  </svg>
)

/** The whole graph in small, while it is much larger than what is in view. */
function Overview({ layout }: { layout: Layout }) {
  const isNeeded = useStore(
    ({ width, height, transform }) =>
      width > 700 && (layout.height * transform[2] > height * 1.8 || layout.width * transform[2] > width * 1.8),
  )
  return isNeeded ? (
    <MiniMap className={styles.overview ?? ""} pannable zoomable ariaLabel="Overview" nodeBorderRadius={12} />
  ) : null
}

function ZoomTools({ onStart }: { onStart: (() => void) | undefined }) {
  const flow = useReactFlow()
  return (
    <Panel position="bottom-left" className={styles.zoom ?? ""}>
      <Tool label="Zoom in" icon={IconPlus} size="md" run={() => void flow.zoomIn()} />
      <Tool label="Zoom out" icon={IconMinus} size="md" run={() => void flow.zoomOut()} />
      <Tool
        label="Show all steps"
        icon={IconFocusCentered}
        size="md"
        run={() => void flow.fitView({ padding: 0.12, maxZoom: 1, minZoom: 0.2 }).then(() => undefined, onStart)}
      />
    </Panel>
  )
}
