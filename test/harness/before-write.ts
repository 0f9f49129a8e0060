import type { TestApp } from "./app.ts"

/** Makes a change after all that comes before the next unit, and before that unit runs. */
export function beforeNextWrite({ app: { store } }: TestApp, change: () => Promise<unknown>): void {
  const { write } = store
  const changed: typeof write = async (...asked) => {
    Object.assign(store, { write })
    await change()
    return write(...asked)
  }
  Object.assign(store, { write: changed })
}
