import { layout as arrange, Graph as Layered } from "@dagrejs/dagre"
import { exitName, exitsOf } from "../model/exits.ts"
import { type Graph, linkAt, linksFrom, type Place, placeKey, type Step, triggerOf } from "../model/graph.ts"

export interface Point {
  readonly x: number
  readonly y: number
}

/** A transition, or an exit that leads nowhere yet, as it is drawn. */
interface DrawnExit extends Place {
  /** The step that it leads to; null where it is open. */
  readonly to: string | null
  /** The name of the branch; `""` for the plain exit. */
  readonly name: string
  readonly points: readonly Point[]
  /** The centre of its name and of the button that adds a step. */
  readonly middle: Point
}

export interface Layout {
  /** The upper left corners of the steps, by their id. */
  readonly steps: ReadonlyMap<string, Point>
  readonly exits: readonly DrawnExit[]
  readonly width: number
  readonly height: number
}

export const stepSize = { width: 252, height: 64 } as const
const endSize = { width: 28, height: 28 } as const
/** Of the button that adds a step, and of the name of a branch above it. */
const buttonHeight = 26
const nameHeight = 30
const gap = 44

const endId = (place: Place): string => `end ${placeKey(place)}`

/**
 * Arranges the steps from top to bottom. The trigger is at 0, 0 whatever else there is, so that it stays in its place
 * when steps are added.
 */
export function layoutOf(graph: Graph): Layout {
  const layered = new Layered({ multigraph: true })
  layered.setGraph({ rankdir: "TB", nodesep: 36, edgesep: 24, ranksep: gap })
  layered.setDefaultEdgeLabel(() => ({}))
  const steps = new Map(graph.steps.map((step) => [step.id, step]))
  const drawn = graph.steps.flatMap((step) => exitsToDraw(graph, step))
  for (const { id } of graph.steps) layered.setNode(id, { ...stepSize })
  for (const { to, ...place } of drawn) if (to === null) layered.setNode(endId(place), { ...endSize })
  // dagre puts what comes first to the right
  for (const { to, ...place } of drawn.toReversed()) {
    const name = nameOf(steps.get(place.from), place)
    const width = Math.max(28, Math.min(name.length * 7 + 40, stepSize.width))
    const height = buttonHeight + (name === "" ? 0 : nameHeight)
    const label = { width, height, labelpos: "c" as const, weight: to === null ? 1 : 2 }
    layered.setEdge(place.from, to ?? endId(place), label, placeKey(place))
  }
  arrange(layered)

  const trigger = triggerOf(graph)
  const origin = (trigger && layered.node(trigger.id)) ?? { x: 0, y: 0 }
  const moved = ({ x, y }: Partial<Point>): Point => ({
    x: Math.round((x ?? 0) - origin.x),
    y: Math.round((y ?? 0) - origin.y),
  })
  const corner = (id: string): Point => {
    const { x, y } = moved(layered.node(id))
    return { x: x - stepSize.width / 2, y: y - stepSize.height / 2 }
  }
  const { width = 0, height = 0 } = layered.graph() as { width?: number; height?: number }
  return {
    steps: new Map(graph.steps.map(({ id }) => [id, corner(id)])),
    exits: drawn.map(({ to, ...place }) => {
      const target = to ?? endId(place)
      const edge = layered.edge(place.from, target, placeKey(place))
      return {
        ...place,
        to,
        name: nameOf(steps.get(place.from), place),
        points: fromCentre(
          (edge.points ?? []).map(moved),
          moved(layered.node(place.from)),
          moved(layered.node(target)),
        ),
        middle: moved(edge),
      }
    }),
    width,
    height,
  }
}

const nameOf = (step: Step | undefined, { branch }: Place): string => (step ? exitName(step, branch) : "")

/** The exits of a step in their order, and any other transition that starts at it. */
function exitsToDraw(graph: Graph, step: Step): readonly (Place & { readonly to: string | null })[] {
  const places = exitsOf(step).map(({ branch }) => ({ from: step.id, branch }))
  const others = linksFrom(graph, step.id).filter(({ branch }) => places.every((place) => place.branch !== branch))
  return [...places.map((place) => ({ ...place, to: linkAt(graph, place)?.to ?? null })), ...others]
}

/** Downward lines begin and end at the middle of a step, whatever its width; those of a loop where dagre has them. */
function fromCentre(points: readonly Point[], from: Point, to: Point): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || from.y >= to.y) return points
  return [{ x: from.x, y: first.y }, ...points.slice(1, -1), { x: to.x, y: last.y }]
}

/** A path through the points, with round corners. */
export function pathThrough(points: readonly Point[], radius = 14): string {
  const [first, ...rest] = withoutStraight(orthogonal(points))
  if (!first) return ""
  let path = `M ${first.x} ${first.y}`
  let before = first
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1]
    if (!next) return `${path} L ${point.x} ${point.y}`
    const into = towards(point, before, radius)
    const out = towards(point, next, radius)
    path += ` L ${into.x} ${into.y} Q ${point.x} ${point.y} ${out.x} ${out.y}`
    before = point
  }
  return path
}

/** The point at most `distance` from one point to another, and at most half of the way. */
function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const part = length === 0 ? 0 : Math.min(distance, length / 2) / length
  return { x: rounded(from.x + (to.x - from.x) * part), y: rounded(from.y + (to.y - from.y) * part) }
}

const rounded = (value: number): number => Math.round(value * 10) / 10

/** The points joined by vertical and horizontal lines: each step aside is halfway between two points. */
function orthogonal(points: readonly Point[]): readonly Point[] {
  const [first, ...rest] = points
  if (!first) return []
  const corners: Point[] = [first]
  let before = first
  for (const point of rest) {
    if (Math.abs(point.x - before.x) > 1 && Math.abs(point.y - before.y) > 1) {
      const y = (before.y + point.y) / 2
      corners.push({ x: before.x, y }, { x: point.x, y })
    }
    corners.push(point)
    before = point
  }
  return corners
}

/** Without points on a straight line between their neighbours. */
const withoutStraight = (points: readonly Point[]): readonly Point[] =>
  points.filter(({ x, y }, index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    return !before || !after || !((before.x === x && after.x === x) || (before.y === y && after.y === y))
  })
