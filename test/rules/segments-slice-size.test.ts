import { expect, test } from "bun:test"
import { createSliceSize } from "../../src/modules/segments/recompute/slice-size.ts"

/** The sizes of consecutive slices when a contact costs this many ms. */
function sizesAt(msPerContact: number, slices: number): number[] {
  const size = createSliceSize()
  return Array.from({ length: slices }, () => {
    const current = size.current()
    size.took(current * msPerContact)
    return current
  })
}

test("slices of cheap contacts grow to the largest", () => {
  expect(sizesAt(0.01, 5)).toEqual([50, 100, 200, 400, 500])
})

test("slices of contacts that cost much take as long as a unit may, and at least one contact", () => {
  expect(sizesAt(1, 3)).toEqual([50, 10, 10])
  expect(sizesAt(40, 3)).toEqual([50, 1, 1])
})

test("slices grow again after contacts that cost much", () => {
  const size = createSliceSize()
  size.took(5_000)
  expect(size.current()).toBe(1)
  for (let slice = 0; slice < 10; slice++) size.took(1)
  expect(size.current()).toBe(500)
})
