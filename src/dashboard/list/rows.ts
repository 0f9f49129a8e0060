/** The links that open the rows, in order. */
export const rowLinks = (within: ParentNode | null = document): readonly HTMLAnchorElement[] => [
  ...(within?.querySelectorAll<HTMLAnchorElement>("a[data-row]") ?? []),
]

const leadsTo = (path: string) => (link: HTMLAnchorElement) => link.pathname.endsWith(path)

/** Moves the focus to the row that links to the path of a page, if it is in view. */
export const focusRow = (path: string): void => rowLinks().find(leadsTo(path))?.focus()

/** Moves the focus from a row that is about to be removed to the one below it, or else to the one above. */
export function focusBeside(path: string): void {
  const links = rowLinks()
  const position = links.findIndex(leadsTo(path))
  const next = links[position + 1] ?? links[position - 1]
  next?.focus()
}
