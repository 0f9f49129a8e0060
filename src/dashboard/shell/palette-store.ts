import { createSpotlight } from "@mantine/spotlight"

/** Whether the palette is open, and which of its entries is selected. */
export const [paletteStore, palette] = createSpotlight()

/** Selects the first entry when none is: those that are found later are not selected by Mantine. */
export function selectFirst(): void {
  const list = document.getElementById(paletteStore.getState().listId)
  if (!list || list.querySelector("[data-selected]")) return
  list.querySelector("[data-action]")?.setAttribute("data-selected", "true")
  paletteStore.updateState((state) => ({ ...state, selected: 0 }))
}

/** The id of the palette's text field. */
export const fieldId = "palette-field"

let entryCount = 0

/** Exposes the selected entry to assistive technology: Mantine only marks it visually. */
function exposeSelection(list: HTMLElement): void {
  for (const entry of list.querySelectorAll("[data-action]")) {
    // An id by position would be the same for the next entry there, which would not be read out.
    if (!entry.id) entry.id = `palette-entry-${entryCount++}`
    entry.setAttribute("aria-selected", String(entry.hasAttribute("data-selected")))
  }
  const field = document.getElementById(fieldId)
  const selected = list.querySelector("[data-selected]")
  if (selected) field?.setAttribute("aria-activedescendant", selected.id)
  else field?.removeAttribute("aria-activedescendant")
}

/** Exposes the selection of a list of entries while it is shown: Mantine marks entries after React has rendered them. */
export function exposeSelectionOf(listId: string): (() => void) | undefined {
  const list = document.getElementById(listId)
  if (list === null) return undefined
  exposeSelection(list)
  const changes = new MutationObserver(() => exposeSelection(list))
  changes.observe(list, { subtree: true, childList: true, attributeFilter: ["data-selected"] })
  return () => {
    changes.disconnect()
    document.getElementById(fieldId)?.removeAttribute("aria-activedescendant")
  }
}
