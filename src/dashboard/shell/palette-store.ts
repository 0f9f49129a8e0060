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

/** Of the field of the palette. */
export const fieldId = "palette-field"

let told = 0

/** Tells assistive technology which entry is selected, as Mantine marks it for the eye only. */
export function tellSelection(): void {
  const list = document.getElementById(paletteStore.getState().listId)
  for (const entry of list?.querySelectorAll("[data-action]") ?? []) {
    // of the entry rather than of its place, so that another entry in the same place is read out
    if (!entry.id) entry.id = `palette-entry-${told++}`
    entry.setAttribute("aria-selected", String(entry.hasAttribute("data-selected")))
  }
  const field = document.getElementById(fieldId)
  const selected = list?.querySelector("[data-selected]")
  if (selected) field?.setAttribute("aria-activedescendant", selected.id)
  else field?.removeAttribute("aria-activedescendant")
}
