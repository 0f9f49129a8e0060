import { type Condition, type Needs, needsOf, readCondition } from "../../../conditions/index.ts"
import { createLru, getOrCreate } from "../../../kernel/lru.ts"

/** A stored condition, ready to be evaluated, and what it looks at. */
export interface Tree {
  readonly condition: Condition
  readonly needs: Needs
}

export type Trees = (text: string) => Tree

const mostRemembered = 2_000

/** Reads stored conditions, and remembers what it has read by the text it was. */
export function createTrees(): Trees {
  const read = createLru<Tree>(mostRemembered)
  return (text) =>
    getOrCreate(read, text, () => {
      const condition = readCondition(JSON.parse(text))
      return { condition, needs: needsOf(condition) }
    })
}
