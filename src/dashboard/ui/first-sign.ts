const signs = ["pointermove", "pointerdown", "keydown"] as const

/** Browsers report that a pointer is over what has come below it, although nobody has moved it. */
const isResting = (event: Event): boolean =>
  event instanceof PointerEvent && event.type === "pointermove" && event.movementX === 0 && event.movementY === 0

/** Resolves at the first user input: code that the first view does not need is loaded then, before it is used. */
export const firstSign = new Promise<void>((resolve) => {
  const note = (event: Event) => {
    if (isResting(event)) return
    for (const sign of signs) removeEventListener(sign, note)
    resolve()
  }
  for (const sign of signs) addEventListener(sign, note)
})

/** The longest wait for a first input, in ms. */
export const longestWaitMs = 2_000

/** Resolves when the page is likely to be loaded, for code that must not delay it. */
export const afterFirstView = (): Promise<void> =>
  Promise.race([firstSign, new Promise<void>((resolve) => setTimeout(resolve, longestWaitMs))])
