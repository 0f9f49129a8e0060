/** The time after which what was closed has returned the focus, in ms; Mantine takes 10. */
const focusReturnMs = 20

/** Runs once a menu or dialog that is being closed has returned the focus: so the action may move it, or note where it is. */
export const afterFocusReturn = (run: () => void): void => void setTimeout(run, focusReturnMs)
