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
