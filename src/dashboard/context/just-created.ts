import { useHistoryState } from "wouter/use-browser-location"

/** Options of a navigation to an item that was just created. */
export const asNew = { state: { isNew: true } } as const

/** The name of a copy. One that would be longer than `most` is cut, but not within an emoji or another long character. */
export function nameOfCopy(name: string, most: number): string {
  const mark = " (Copy)"
  return `${Array.from(name)
    .slice(0, most - mark.length)
    .join("")}${mark}`
}

/** Tells of a copy, which is open or, when the user has gone on meanwhile, not. */
export const copyNotice = ({ name }: { readonly name: string }, isOpen: boolean): string =>
  isOpen ? `This is the copy: ${name}` : `The copy is there: ${name}`

/** Tells of an item whose dialog was closed before it was there. */
export const createdNotice = ({ name }: { readonly name: string }): string => `Created: ${name}`

/** Whether the page shows an item that was just created, whose name is then focused. */
export function useIsNew(): boolean {
  const state: unknown = useHistoryState()
  return typeof state === "object" && state !== null && "isNew" in state
}
