import { IconPlus } from "@tabler/icons-react"
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from "@xyflow/react"
import { type DragEvent, memo, useState } from "react"
import { type Place, placeKey } from "../model/graph.ts"
import styles from "./canvas.module.css"
import { useCanvas } from "./context.ts"
import { type Point, pathThrough } from "./layout.ts"

interface ExitData extends Record<string, unknown> {
  readonly place: Place
  /** The name of the branch; `""` for a plain exit. */
  readonly name: string
  readonly points: readonly Point[]
  readonly middle: Point
  /** The name of the step it starts at, for the label of the button. */
  readonly after: string
  /** Null where there are no counts. */
  readonly passed: string | null
  readonly isOpen: boolean
  readonly isLit: boolean
}

export type ExitEdgeType = Edge<ExitData, "exit">

/** The width of the path for the pointer, in px. */
const hoverWidth = 44

/** A transition with its branch, and the button that adds a step in it. */
export const ExitEdge = memo(function ExitEdge({ id, data }: EdgeProps<ExitEdgeType>) {
  const [isHovered, setHovered] = useState(false)
  if (!data) return null
  const { points, middle, isOpen, isLit } = data
  const path = pathThrough(points)
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        interactionWidth={0}
        className={styles.line ?? ""}
        {...(isOpen ? {} : { markerEnd: "url(#workflow-arrow)" })}
        data-open={isOpen || undefined}
        data-lit={isLit || undefined}
      />
      <path
        d={path}
        className={styles.hover}
        strokeWidth={hoverWidth}
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
      />
      <EdgeLabelRenderer>
        <div
          className={`${styles.middle} nopan`}
          data-hovered={isHovered || undefined}
          style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}
        >
          <Branch {...data} />
        </div>
      </EdgeLabelRenderer>
    </>
  )
})

function Branch({ place, name, passed, after }: ExitData) {
  const { openMenu, dropAt } = useCanvas()
  const [isOver, setOver] = useState(false)
  const accepts = (event: DragEvent) => {
    if (!event.dataTransfer.types.some((type) => type.startsWith("application/x-mailstead-"))) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <>
      {(name !== "" || passed !== null) && (
        <span className={styles.branch}>
          {name}
          {passed !== null && <small>{passed}</small>}
        </span>
      )}
      {openMenu && (
        <button
          type="button"
          className={styles.plus}
          data-stop={placeKey(place)}
          data-over={isOver || undefined}
          tabIndex={-1}
          aria-label={`Add a step after ${after}${name === "" ? "" : `, ${name}`}`}
          onClick={(event) => openMenu(place, event.currentTarget)}
          onDragEnter={accepts}
          onDragOver={accepts}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            dropAt(place, event.dataTransfer)
          }}
        >
          <IconPlus size={14} stroke={2.2} />
        </button>
      )}
    </>
  )
}
