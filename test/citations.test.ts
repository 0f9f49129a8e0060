import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { badCitations, citable } from "./harness/citations.ts"

const root = resolve(import.meta.dir, "..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")
const contract = citable([read("test/contract/part-a.md"), read("test/contract/part-b.md")])

/** These contain invalid citations as test data, or describe the format. */
const exempt = ["test/citations.test.ts", "test/harness/citations.ts"]

describe("the contract", () => {
  test("has numbers of headings, items, rows and worked cases, each once", () => {
    for (const number of ["A0.2", "A1.2.6", "A5.14", "A5.9", "A9.16", "B1.3", "B1.2.8", "B2.6.94", "B5.9.41", "B7.1.0"])
      expect([number, contract.numbers.has(number)]).toEqual([number, true])
    for (const number of ["A99", "A5.99", "A9.99", "B1.2.99", "B99"])
      expect([number, contract.numbers.has(number)]).toEqual([number, false])
    expect(contract.duplicates).toEqual([])
  })

  test("refers to its own numbers only", () => {
    for (const part of ["part-a.md", "part-b.md"]) {
      const text = read(`test/contract/${part}`)
      const cited = [...text.matchAll(/(?<![\w.])[AB]\d{1,2}(?:\.\d{1,3})*(?=[\s,.;:)|])/g)].map(([number]) => number)
      expect(cited.filter((number) => !contract.numbers.has(number))).toEqual([])
      expect(text).not.toMatch(/\bspec\b|specification/i)
    }
  })
})

test("every citation is a number of the contract or a public document", () => {
  const files = [
    ...new Bun.Glob("{src,plugins,config,test}/**/*.{ts,tsx,css,html,toml,sql,json,service}").scanSync({ cwd: root }),
    "README.md",
    "package.json",
  ]
  expect(files.length).toBeGreaterThan(300)
  const bad = files
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !exempt.includes(path))
    .sort()
    .flatMap((path) => badCitations(path, read(path), contract.numbers))
  expect(bad).toEqual([])
})

describe("a citation", () => {
  const faults = (text: string) => badCitations("a.ts", text, contract.numbers).map((line) => line.slice(5))

  test.each([
    ["/** Refused (contract A4.3.1). */"],
    ["/** Contract A4.3.1, A4.3.2 and B1.3. */"],
    ["test('counts (contract B4.2.5 to B4.2.7)')"],
    ["/**\n * Cut off (contract\n   * A4.3.1). RFC 5321 section 4.5. A day.\n */"],
    ["const spec = design[4]; const name = 'A3.'; const row = contacts.A1"],
    ["// No number of a contract is what AB1.2 is, nor v1.A1.2."],
  ])("may be %j", (text) => {
    expect(faults(text)).toEqual([])
  })

  test.each([
    ["// contract A99.1", ["1 the contract has no A99.1"]],
    ["\n// contract A4.3.1, A4.3.99", ["2 the contract has no A4.3.99"]],
    ["/**\n * As contract\n * A4.3.1 and\n * B1.77 say.\n */", ["2 the contract has no B1.77"]],
    ["// Refused (A4.3.1).", ["1 A4.3.1 is cited without the word contract"]],
    ["test('the limit (A9)')", ["1 A9 is cited without the word contract"]],
    ["/** B8.1. */", ["1 B8.1 is cited without the word contract"]],
    ["// spec 4.2", ['1 "spec 4" is not in this repository']],
    ["// (design 6, contract A4.5)", ['1 "design 6" is not in this repository']],
    ["/** Spec\n * 2.1. */", ['1 "Spec  2" is not in this repository'.replace("  ", "    ")]],
    ["// see /work/shared", ['1 "/work/" is not in this repository']],
    ["// contract B, below", ['1 "contract B" is not in this repository']],
  ])("may not be %j", (text, expected) => {
    expect(faults(text)).toEqual(expected)
  })
})
