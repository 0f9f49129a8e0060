import { LRUCache } from "lru-cache"
import type { Store } from "../store/store.ts"

/** Answers of tens of kilobytes each. */
const mostRemembered = 32

/**
 * Remembers the JSON text of answers that follow from the database alone, for as long as nothing is committed. The name of
 * an answer has all that it depends on, the project included; who may have it is checked before.
 */
export function createRememberedAnswers({ changes }: Pick<Store, "changes">) {
  const remembered = new LRUCache<string, Promise<string>>({ max: mostRemembered })
  let version: number | undefined

  async function textOf(name: string, make: () => Promise<unknown>): Promise<string> {
    try {
      return JSON.stringify(await make())
    } catch (cause) {
      remembered.delete(name)
      throw cause
    }
  }

  /** Resolves to the text of the answer, for a response with the type of JSON. */
  return (name: string, make: () => Promise<unknown>): Promise<string> => {
    const now = changes()
    if (now !== version) remembered.clear()
    version = now
    const known = remembered.get(name)
    if (known !== undefined) return known
    const text = textOf(name, make)
    remembered.set(name, text)
    return text
  }
}

export type RememberedAnswers = ReturnType<typeof createRememberedAnswers>
