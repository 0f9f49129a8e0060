/** The blocks of Unicode whose letters are written from right to left: Hebrew, Arabic and the scripts beside them. */
const letters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Whether a text has letters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => letters.test(text)
