import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { pageIn, pageList } from "../../src/http/page.ts"

describe("The pages of a list (contract A1.4)", () => {
  test("together contain each item once, in order", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.integer({ min: 1, max: 120 }), (total, size) => {
        const items = Array.from({ length: total }, (_, at) => at)
        const at = (page: number) => {
          const paging = pageIn({ page: String(page), pageSize: String(size) })
          const rows = items.slice(paging.offset, paging.offset + paging.pageSize)
          return pageList(rows, { paging, total, present: (row) => row })
        }
        const { totalPages } = at(1)
        const pages = Array.from({ length: totalPages }, (_, page) => at(page + 1).data)
        expect(pages.flat()).toEqual(items)
        expect(pages.every((page) => page.length > 0)).toBe(true)
        expect(at(totalPages + 1).data).toEqual([])
      }),
    )
  })

  test.each(["9007199254740991", "9007199254740993", `1${"0".repeat(400)}`])(
    "the page %s is one that a store can count to",
    (page) => {
      const { offset } = pageIn({ page, pageSize: "100" })
      expect(Number.isSafeInteger(offset)).toBe(true)
    },
  )
})
