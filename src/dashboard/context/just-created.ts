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

/** Announces a copy: that it is open or, if the user has moved on meanwhile, that it was created. */
export const copyNotice = ({ name }: { readonly name: string }, isOpen: boolean): string =>
  isOpen ? `This is the copy: ${name}` : `The copy is there: ${name}`

/** Announces an item whose dialog was closed before it was created. */
export const createdNotice = ({ name }: { readonly name: string }): string => `Created: ${name}`

/** Whether the page shows an item that was just created, whose name is then focused. */
export function useIsNew(): boolean {
  const state: unknown = useHistoryState()
  return typeof state === "object" && state !== null && "isNew" in state
}
