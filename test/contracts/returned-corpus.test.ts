import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { returnedResults } from "../../src/modules/reports/returned/read.ts"

/**
 * Returned messages that nobody here has written: the samples of flufl.bounce (Apache-2.0), a parser of bounces. pip fetches
 * its source, of which nothing is kept.
 */
const requirement = "flufl.bounce==6.0.0"

let folder: string
let samples: Map<string, Uint8Array>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mailstead-returned-"))
  const options = ["--quiet", "--no-deps", "--no-binary", "flufl.bounce", "--dest", folder]
  await run([python(), "-m", "pip", "download", ...options, requirement])
  const [archive = ""] = readdirSync(folder).filter((name) => name.endsWith(".tar.gz"))
  await run(["tar", "-xzf", join(folder, archive), "-C", folder])
  const data = join(folder, archive.replace(".tar.gz", ""), "tests/data")
  const names = readdirSync(data).filter((name) => name.endsWith(".txt"))
  samples = new Map(names.sort().map((name) => [name.replace(".txt", ""), readFileSync(join(data, name))]))
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hint = `This test reads the samples of ${requirement}, so it needs pip (package python3-pip), PyPI and tar.`

/** The one that has pip. */
function python(): string {
  const hasPip = (one: string) =>
    Bun.which(one) !== null && Bun.spawnSync([one, "-m", "pip", "--version"], { stderr: "ignore" }).success
  const found = ["python3", "/usr/bin/python3"].find(hasPip)
  if (found === undefined) throw new Error(`${hint} There is no pip.`)
  return found
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdout: "ignore", stderr: "pipe" })
  const reason = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${hint} ${command.join(" ")}: ${reason}`)
}

/** The answer of a person who is away, and mail that a person wrote: the package finds no address in them either. */
const ofPeople = ["groupwise_03", "qmail_08"]

test("115 of 117 foreign samples are read, and those that people wrote have no effect", () => {
  const unread = [...samples].filter(([, raw]) => returnedResults(raw).every(({ report }) => report === undefined))
  expect(samples.size).toBe(117)
  expect(unread.map(([name]) => name)).toEqual(ofPeople)
})

test("a failure is permanent only where a code says so", () => {
  const permanent = [...samples].flatMap(([name, raw]) =>
    returnedResults(raw).some(({ report }) => report?.kind === "bounce" && report.bounceType === "Permanent")
      ? [name]
      : [],
  )
  expect(permanent).toContain("simple_15")
  for (const name of ["simple_41", "simple_45", "netscape_01", "microsoft_03"]) expect(permanent).not.toContain(name)
})
