import { spyOn } from "bun:test"
import type { ReadPool } from "../../src/store/engine.ts"
import type { TestApp } from "./app.ts"

/** Makes a change between the next read on the pool and the use of what it found. */
export function afterNextRead({ app }: TestApp, change: () => Promise<unknown>): void {
  const { readPool } = app.store
  const spy = spyOn(readPool, "read")
  const read = async (...asked: Parameters<ReadPool["read"]>): Promise<unknown> => {
    spy.mockRestore()
    const found = await readPool.read(...asked)
    await change()
    return found
  }
  spy.mockImplementationOnce(read as ReadPool["read"])
}
