import { LRUCache } from "lru-cache"
import type { Store } from "../store/store.ts"

/** Answers of tens of kilobytes each. */
const mostRemembered = 32

/**
 * Caches the JSON text of responses that depend on the database alone, until the next commit. The key of a response
 * must contain everything else that it depends on, the project included; permissions are checked before.
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
