const signs = ["pointermove", "pointerdown", "keydown"] as const

/** Browsers report that a pointer is over what has come below it, although nobody has moved it. */
const isResting = (event: Event): boolean =>
  event instanceof PointerEvent && event.type === "pointermove" && event.movementX === 0 && event.movementY === 0

/**
 * Resolves with the first sign of somebody at the page: what its first view can do without is loaded then, before it is
 * asked for.
 */
export const firstSign = new Promise<void>((resolve) => {
  const note = (event: Event) => {
    if (isResting(event)) return
    for (const sign of signs) removeEventListener(sign, note)
    resolve()
  }
  for (const sign of signs) addEventListener(sign, note)
})

/** Who only looks gets the rest as well, once the page has come. */
const longestWaitMs = 2_000

/** Resolves when the page can be expected to be there: to load what is not worth a wait for the rest. */
export const afterFirstView = (): Promise<void> =>
  Promise.race([firstSign, new Promise<void>((resolve) => setTimeout(resolve, longestWaitMs))])
