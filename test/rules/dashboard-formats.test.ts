import { expect, test } from "bun:test"
import { byteSize } from "../../src/dashboard/ui/format.ts"

const [kilo, mega, giga, tera] = [1024, 1024 ** 2, 1024 ** 3, 1024 ** 4]

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 KB"],
  [9.9 * kilo, "9.9 KB"],
  [10.4 * kilo, "10 KB"],
  [999 * kilo, "999 KB"],
  [1_000 * kilo, "1.0 MB"],
  [512 * mega, "512 MB"],
  [12 * giga, "12 GB"],
  [1.5 * tera, "1.5 TB"],
  [4_000 * tera, "4000 TB"],
])("the size of %d bytes is %s", (bytes, text) => {
  expect(byteSize(bytes)).toBe(text)
})
