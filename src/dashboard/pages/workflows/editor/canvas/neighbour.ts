import { placeKey } from "../model/graph.ts"
import { type Layout, type Point, stepSize } from "./layout.ts"

type Direction = "up" | "down" | "left" | "right"

/** The step or place that an arrow key leads to from another one: the nearest in that direction. */
export function neighbour(layout: Layout, from: string, direction: Direction, withPlaces: boolean): string | null {
  const stops = stopsOf(layout, withPlaces)
  const start = stops.get(from)
  if (!start) return null
  let best: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const [stop, point] of stops) {
    const cost = costOf(start, point, direction)
    if (stop !== from && cost !== null && cost < least) {
      best = stop
      least = cost
    }
  }
  return best
}

/** The distance in the direction; the distance across it counts more. Null when it is not in that direction. */
function costOf(start: Point, end: Point, direction: Direction): number | null {
  const [dx, dy] = [end.x - start.x, end.y - start.y]
  const isVertical = direction === "up" || direction === "down"
  const along = direction === "up" ? -dy : direction === "down" ? dy : direction === "left" ? -dx : dx
  const across = Math.abs(isVertical ? dx : dy)
  if (along < 1 || (!isVertical && across > along * 2)) return null
  return along + across * (isVertical ? 1.2 : 3)
}

function stopsOf({ steps, exits }: Layout, withPlaces: boolean): ReadonlyMap<string, Point> {
  const centres = [...steps].map(
    ([id, { x, y }]) => [id, { x: x + stepSize.width / 2, y: y + stepSize.height / 2 }] as const,
  )
  const places = exits.map(
    (exit) => [placeKey(exit), exit.to === null ? (exit.points.at(-1) ?? exit.middle) : exit.middle] as const,
  )
  return new Map(withPlaces ? [...centres, ...places] : centres)
}
