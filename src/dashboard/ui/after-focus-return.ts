/** How often the focus is looked at, and how long it may take to return, in ms; Mantine takes 10, on a busy machine longer. */
const [everyMs, mostMs] = [20, 200]

/** Runs once a menu or dialog that is being closed has returned the focus: so the action may move it, or note where it is. */
export function afterFocusReturn(run: () => void): void {
  const [left, since] = [document.activeElement, performance.now()]
  const hasReturned = () => document.activeElement !== left && document.activeElement !== document.body
  const look = () => {
    if (hasReturned() || performance.now() - since >= mostMs) run()
    else setTimeout(look, everyMs)
  }
  setTimeout(look, everyMs)
}
