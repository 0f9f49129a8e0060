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
