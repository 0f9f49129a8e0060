import { expect, test } from "bun:test"
import { createUnitBatches } from "../../src/store/unit-batches.ts"
import { addNote, noteNames, openTestStore, scratch } from "../harness/store.ts"

const folder = scratch()

test("what comes before a unit has run shares it, in order, and no more than its most", async () => {
  const store = await openTestStore(folder())
  const sizes: number[] = []
  const add = createUnitBatches(
    (work) => store.write("instance", work),
    3,
    async (unit, names: readonly string[]) => {
      sizes.push(names.length)
      for (const name of names) await addNote(unit, name)
      return names.map((name) => `stored ${name}`)
    },
  )
  expect(await Promise.all(["a", "b", "c", "d", "e"].map(add))).toEqual(
    ["a", "b", "c", "d", "e"].map((n) => `stored ${n}`),
  )
  expect(await add("f")).toBe("stored f")
  expect(sizes).toEqual([3, 2, 1])
  expect(await noteNames(store.read)).toEqual(["a", "b", "c", "d", "e", "f"])
  await store.close()
})

test("a unit that fails rejects its items, and stores none of them", async () => {
  const store = await openTestStore(folder())
  const add = createUnitBatches(
    (work) => store.write("instance", work),
    2,
    async (unit, names: readonly string[]) => {
      for (const name of names) await addNote(unit, name)
      if (names.includes("bad")) throw new Error("refused")
      return []
    },
  )
  const settled = await Promise.allSettled(["a", "bad", "c"].map(add))
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"])
  expect(await noteNames(store.read)).toEqual(["c"])
  await store.close()
  expect(await add("late").catch(() => "rejected")).toBe("rejected")
})

test("items of which nobody waits for the result wait for others, until there are enough or one of another kind comes", async () => {
  const units: string[][] = []
  const waits: PromiseWithResolvers<void>[] = []
  const add = createUnitBatches(
    (work) => work({} as never),
    3,
    async (_, names: readonly string[]) => {
      units.push([...names])
      return names
    },
    {
      mayWait: (name) => name.startsWith("later"),
      wait: () => {
        waits.push(Promise.withResolvers())
        return waits.at(-1)?.promise as Promise<void>
      },
    },
  )
  const end = () => waits.at(-1)?.resolve()
  const alone = add("later 1")
  await new Promise(setImmediate)
  expect(units).toEqual([])
  end()
  expect(await alone).toBe("later 1")

  const [waiting, now] = [add("later 2"), add("now")]
  expect(await Promise.all([waiting, now])).toEqual(["later 2", "now"])
  expect(await Promise.all(["later 3", "later 4", "later 5"].map(add))).toHaveLength(3)
  // The waits of those that did not have to wait to their end change nothing.
  for (const wait of waits) wait.resolve()
  await new Promise(setImmediate)
  expect(units).toEqual([["later 1"], ["later 2", "now"], ["later 3", "later 4", "later 5"]])
  expect(waits).toHaveLength(3)
})
