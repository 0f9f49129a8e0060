import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { sqliteTable, text } from "drizzle-orm/sqlite-core"
import { containsText } from "../../src/store/dialect.ts"

const noteTable = sqliteTable("note", { body: text("body").notNull() })

/** Which of the texts contain a part. */
function searcher(...texts: string[]): (part: string) => Promise<string[]> {
  const client = new Database(":memory:")
  client.run("CREATE TABLE note (body TEXT NOT NULL)")
  const insert = client.query("INSERT INTO note VALUES (?)")
  client.transaction(() => texts.map((body) => insert.run(body)))()
  const db = drizzle(client)
  return async (part) =>
    (await db.select().from(noteTable).where(containsText(noteTable.body, part))).map((n) => n.body)
}

const upperOf = (letter: string) => letter.toLowerCase().toUpperCase()

test("a letter of any script is found in all its cases, and no other is", async () => {
  const families = new Map<string, string[]>()
  for (let code = 0x80; code < 0x1f000; code++) {
    const letter = String.fromCodePoint(code)
    const upper = upperOf(letter)
    if (!/^\p{L}$/u.test(letter) || [...upper].length > 1 || upper < "\x80" || upper === letter.toLowerCase()) continue
    families.set(upper, [...(families.get(upper) ?? []), letter])
  }
  const letters = [...families.values()].flat()
  expect(letters.length).toBeGreaterThan(2_700)
  const found = searcher(...letters)
  for (const family of families.values())
    for (const letter of family.slice(-1)) expect([letter, await found(letter)]).toEqual([letter, family])
  for (const family of [...families.values()].filter(({ length }) => length > 2))
    for (const letter of family) expect(await found(letter)).toEqual(family)
})

test.each<[part: string, texts: string[]]>([
  ["k", ["k", "K"]],
  ["S", ["s", "S"]],
  ["i", ["i", "I"]],
])("%j is found in both its cases only", async (part, texts) => {
  expect(await searcher("k", "K", "\u212a", "s", "S", "ſ", "i", "I", "ı", "İ")(part)).toEqual(texts)
})

test.each<[part: string, finds: boolean]>([
  ["strasse", true],
  ["STRASSE", true],
  ["straße", true],
  ["STRAẞE", true],
  ["straſe", false],
  ["strase", false],
  ["%", false],
  ["_tra", false],
  ["*", false],
  ["ß*", false],
  ["ß?", false],
  ["[ß]", false],
  ["\0", false],
  ["ß\0", false],
])("%j is found in Straße: %p", async (part, finds) => {
  expect(await searcher("Straße 5")(part)).toEqual(finds ? ["Straße 5"] : [])
})

test.each(["a%b", "A_B", "100%_\\", "ä*Ö", "ä?", "[Ä]", "ä]", "^ä-ö^", "\\Ä", "'Ä\"", "Ä\nä", "👩‍🚀Ä"])(
  "%j is found by itself, in lower case and in upper case",
  async (note) => {
    const found = searcher(`before ${note} after`)
    for (const part of [note, note.toLowerCase(), note.toUpperCase()])
      expect([part, await found(part)]).toEqual([part, [`before ${note} after`]])
  },
)

test.each(["x", "%", "\\", "ä", "ᲇ", "𐐀", "*"])("any length of %j is looked for without a fault", async (letter) => {
  for (const length of [999, 1_000, 1_999, 2_001, 100_000]) {
    const long = letter.repeat(length)
    expect(await searcher(long)(long)).toEqual(long.length > 2_000 ? [] : [long])
  }
})
