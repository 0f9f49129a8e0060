import { expect, test } from "bun:test"
import fc from "fast-check"
import { countRecords, packText, placesOf } from "../../src/store/text-block.ts"

const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "ß", "\n", " "), maxLength: 4 })
const records = fc.array(fc.record({ own: text, shared: fc.constantFrom("a", "ab", "B b", "") }), {
  minLength: 1,
  maxLength: 12,
})

test("a block counts the records that it finds", () => {
  fc.assert(
    fc.property(records, fc.constantFrom("a", "b", "ab", "B", "c", "ss", " "), (all, wanted) => {
      const block = packText(all)
      const found = placesOf(block, wanted)
      const bytes = (lines: string) => new TextEncoder().encode(lines)
      const starts = JSON.stringify(block.starts)
      expect(countRecords(bytes(block.own), bytes(block.shared), starts, wanted)).toBe(found.length)
      const has = ({ own, shared }: { own: string; shared: string }) =>
        [own, shared].some((one) => one.toLowerCase().replaceAll("ß", "ss").includes(wanted.toLowerCase()))
      expect(found).toEqual(all.flatMap((each, at) => (has(each) ? [at] : [])))
    }),
  )
})
