import { beforeEach, describe, expect, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { runLine } from "../harness/commands.ts"
import { startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let data: string
let projectId: string
const at = (name: string) => join(data, name)
const run = (line: string) => runLine([...line.split(" "), "--data", data])

beforeEach(async () => {
  data = folder()
  projectId = JSON.parse((await run("project create Shop --json")).stdout).id
})

/** Every command that works in a data folder. */
const commands = () => [
  "project create Other",
  "project list",
  `project disable ${projectId}`,
  `domain add shop.test --project ${projectId}`,
  "user create ada@example.com",
  "user list",
  "setup-link",
  "analytics rebuild",
  "resume",
  "serve --port 0",
  "migrate",
  `backup ${join(folder(), "backup")}`,
]

/** The files of the folder with their content, except those that every process on it makes. */
const contentOf = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(data)
      .filter((name) => !/^mailstead\.(?:lock|pid)|-(?:wal|shm)$/.test(name))
      .map((name) => [name, readFileSync(at(name), "base64")]),
  )

/** Every one of these commands is refused with this sentence, and changes nothing. */
async function refuses(lines: readonly string[], sentence: string): Promise<void> {
  const before = contentOf()
  for (const line of lines)
    expect([line, await run(line)]).toEqual([line, { code: 1, stdout: "", stderr: `mailstead: ${sentence}\n` }])
  expect(contentOf()).toEqual(before)
}

describe("A data folder without its secret (contract A8.1)", () => {
  const missing = () =>
    `${at("secret")} is missing, and the keys in the database beside it are encrypted with it: restore it from a backup.`
  const wrong = () =>
    `${at("secret")} is not the secret with which the keys in the database beside it are encrypted: restore it from a backup.`

  test("is refused until it is back", async () => {
    renameSync(at("secret"), at("kept"))
    await refuses(commands(), missing())
    expect(existsSync(at("secret"))).toBe(false)
    renameSync(at("kept"), at("secret"))
    expect((await run("project list")).stdout).toContain(projectId)
  })

  test("but with another one is refused", async () => {
    const other = folder()
    expect((await runLine(["project", "create", "Other", "--data", other])).code).toBe(0)
    copyFileSync(join(other, "secret"), at("secret"))
    await refuses(commands(), wrong())
  })

  test("is told by the doctor", async () => {
    rmSync(at("secret"))
    const { code, stdout } = await run("doctor")
    expect([code, stdout]).toEqual([1, expect.stringMatching(/fail {2}database +.*secret is missing/)])
  })

  test("gets one while nothing is encrypted in it", async () => {
    const made = folder()
    await (await startServer(made)).stop()
    rmSync(join(made, "secret"))
    await (await startServer(made)).stop()
    expect(readFileSync(join(made, "secret"), "utf8")).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe("A data folder without its database", () => {
  const gone = (how: string) =>
    `${at("mailstead.db")} is ${how}, and this folder had a database. Put it back, or restore a backup into another folder and name that with --data. To begin anew here, delete mailstead.db, secret, node and mode.`

  test.each([
    ["missing", () => rmSync(at("mailstead.db"))],
    ["empty", () => truncateSync(at("mailstead.db"))],
  ])("that is %s is refused, and begins anew without the files that are named", async (how, harm) => {
    const kept = readFileSync(at("mailstead.db"))
    harm()
    await refuses(commands(), gone(how))
    const doctor = await run("doctor")
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(gone(how))])
    writeFileSync(at("mailstead.db"), kept)
    expect((await run("project list")).stdout).toContain(projectId)
    for (const name of ["mailstead.db", "secret", "node", "mode"]) rmSync(at(name))
    expect((await run("project create New")).code).toBe(0)
    expect((await run("project list")).stdout).not.toContain(projectId)
  })
})
