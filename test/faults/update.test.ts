import { Database } from "bun:sqlite"
import { afterEach, beforeAll, describe, expect, test } from "bun:test"
import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { runProgram } from "../../src/commands/service/service.ts"
import type { UpdaterDeps } from "../../src/commands/update/updater.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { requireMounts } from "../harness/mailstead.ts"
import {
  builtInKey,
  type Defect,
  makeRelease,
  makeSmallRelease,
  type Publication,
  publish,
} from "../harness/releases.ts"
import { scratch } from "../harness/store.ts"
import { createMachine, type Machine } from "../harness/updating.ts"

const folder = scratch()
const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const { stop } of open.splice(0)) await stop()
})

let releases = ""
beforeAll(() => {
  releases = folder()
})

/** Version 0.1.0 is installed, and 0.2.0 published. */
function prepare(defect: Defect = "none", version = "0.2.0", key?: KeyObject, make = makeSmallRelease) {
  const machine = createMachine(folder(), make(releases, "0.1.0"))
  const publication = publish(folder(), version, make(releases, version, defect), key)
  open.push(machine.service, publication)
  const update = (deps: Partial<UpdaterDeps> = {}) => machine.updater(publication.url, "0.1.0", deps)
  return { machine, publication, update }
}

/** A clock whose waits take no time. */
function hurried(): UpdaterDeps["clock"] {
  const clock = createFakeClock()
  return { now: clock.now, sleep: async (ms) => clock.jump(ms) }
}

describe("a release that is not right", () => {
  const flip = (bytes: Uint8Array, at: number) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
  const tampered: readonly [string, (publication: Publication) => void, string][] = [
    [
      "whose manifest was changed",
      ({ files }) => {
        const text = new TextDecoder().decode(files.get("update.json"))
        files.set("update.json", new TextEncoder().encode(text.replace("0.2.0", "0.2.1")))
      },
      "The signature of the manifest is wrong",
    ],
    [
      "whose signature was changed",
      ({ files }) => {
        const text = new TextDecoder().decode(files.get("update.json"))
        files.set("update.json", new TextEncoder().encode(text.replace(/"signature":"./, '"signature":"+')))
      },
      "The signature of the manifest is wrong",
    ],
    [
      "whose archive was changed",
      ({ files, archive }) => void files.set(archive, flip(files.get(archive) ?? new Uint8Array(), 100)),
      "is not the file that was signed",
    ],
    [
      "whose archive is longer",
      ({ files, archive }) =>
        void files.set(archive, Buffer.concat([files.get(archive) ?? "", Buffer.from("more")] as never)),
      "is not the file that was signed",
    ],
    [
      "whose archive is shorter",
      ({ files, archive }) => void files.set(archive, (files.get(archive) ?? new Uint8Array()).subarray(0, 100)),
      "is not the file that was signed",
    ],
    ["whose archive is missing", ({ files, archive }) => void files.delete(archive), "answers 404"],
    ["whose manifest is missing", ({ files }) => void files.delete("update.json"), "answers 404"],
  ]

  async function refused(it: ReturnType<typeof prepare>, reason: string, deps: Partial<UpdaterDeps> = {}) {
    const before = it.machine.bytes()
    await expect(it.update(deps).update()).rejects.toThrow(reason)
    expect(it.machine.files()).toEqual(["mailstead"])
    expect(it.machine.bytes()).toEqual(before)
  }

  test.each(tampered)("%s is refused, and nothing is left behind", async (_, tamper, reason) => {
    const it = prepare()
    tamper(it.publication)
    await refused(it, reason)
  })

  test("that is older, the same, for another platform or signed by another key is refused", async () => {
    await refused(prepare("none", "0.0.9"), "not newer than this version, 0.1.0")
    await refused(prepare("none", "0.1.0"), "not newer than this version, 0.1.0")
    const trust = (platform: string | null, key: string | null) => ({ trust: { platform, key } })
    const other = prepare("none", "0.2.0", generateKeyPairSync("ed25519").privateKey)
    await refused(other, "The signature of the manifest is wrong")
    await refused(prepare(), "built without a key", trust("linux-x64", null))
    await refused(prepare(), "runs from its sources", trust(null, null))
  })

  test("for other platforms only is refused", async () => {
    const it = prepare()
    await refused(it, "has no archive for linux-arm64", { trust: { platform: "linux-arm64", key: builtInKey } })
  })

  test("whose executable does not run on this machine, or is of another version, is refused", async () => {
    await refused(prepare(), "does not run here", { versionOf: () => Promise.reject(new Error("Exec format error")) })
    await refused(prepare(), "it says that it is 0.3.0", { versionOf: async () => "0.3.0" })
  })
})

const database = ({ data }: Machine) => new Database(join(data, "mailstead.db"))

test("an update on a full disk leaves the executable as it was, and no other file", async () => {
  const machine = createMachine(folder(), makeSmallRelease(releases, "0.1.0"))
  const large = join(releases, "large")
  writeFileSync(large, randomBytes(2_000_000))
  const publication = publish(folder(), "0.2.0", large)
  open.push(publication)
  const { manifest } = JSON.parse(new TextDecoder().decode(publication.files.get("update.json")))
  const archive = JSON.stringify(JSON.parse(manifest).archives["linux-x64"])
  const at = dirname(machine.installed)
  const mounted = join(at, "mounted")
  mkdirSync(mounted)
  await requireMounts(mounted)
  const program = `
    const { fetchExecutable } = await import("${import.meta.dir}/../../src/commands/update/download.ts")
    const { readdirSync } = await import("node:fs")
    const archive = ${archive}
    const url = "${publication.base}/" + archive.file
    const failed = await fetchExecutable(url, archive, "${mounted}/next", new AbortController().signal).catch((e) => e)
    console.log(failed.code, readdirSync("${mounted}"))`
  const mount = `mount -t tmpfs -o size=1m tmpfs "${mounted}" && exec "$@"`
  const { stdout } = await runProgram(["unshare", "-rm", "sh", "-c", mount, "sh", process.execPath, "-e", program])
  expect(stdout).toBe("ENOSPC []\n")
})

/** The tables and the projects of the machine's database. */
function contents(machine: Machine) {
  const client = database(machine)
  const tables = client.query<{ name: string }, []>("SELECT name FROM sqlite_schema ORDER BY name").all()
  const projects = client.query<{ name: string }, []>("SELECT name FROM project").all()
  client.close()
  return { isNew: tables.some(({ name }) => name === "novelty"), projects: projects.map(({ name }) => name) }
}

async function started(it: ReturnType<typeof prepare>) {
  await it.machine.service.restart()
  expect(await it.machine.running()).toBe("0.1.0")
  const client = database(it.machine)
  client.run("INSERT INTO project VALUES ('Shop')")
  client.close()
}

const databaseFiles = ({ data }: Machine) => readdirSync(data).filter((name) => name.startsWith("mailstead.db.before"))

describe("an update", () => {
  test("replaces the executable, restarts the server and keeps the old one", async () => {
    const it = prepare()
    const old = it.machine.bytes()
    await started(it)
    expect(await it.update().check()).toEqual({ version: "0.2.0", isNewer: true })
    expect(await it.update().update()).toEqual({ kind: "updated", from: "0.1.0", to: "0.2.0", isRunning: true })
    expect(await it.machine.healthyVersion()).toBe("0.2.0")
    expect(it.machine.files()).toEqual(["mailstead", "mailstead.previous"])
    expect(it.machine.bytes("mailstead.previous")).toEqual(old as never)
    expect(await it.machine.versionOf()).toBe("0.2.0")
    expect(contents(it.machine)).toEqual({ isNew: true, projects: ["Shop"] })
  })

  test("of the real program keeps its data", async () => {
    const it = prepare("none", "0.2.0", undefined, makeRelease)
    const run = (...words: string[]) => runProgram([it.machine.installed, ...words, "--data", it.machine.data])
    await run("project", "create", "Shop")
    await it.machine.service.restart()
    expect(await it.machine.running()).toBe("0.1.0")
    expect((await it.update().update()).kind).toBe("updated")
    expect((await run("health")).stdout).toBe("ok (0.2.0)\n")
    expect((await run("project", "list")).stdout).toContain("Shop")
  })

  test("without a service replaces the executable only", async () => {
    const it = prepare()
    const outcome = await it.update({ service: undefined }).update()
    expect(outcome).toEqual({ kind: "updated", from: "0.1.0", to: "0.2.0", isRunning: false })
    expect(it.machine.files()).toEqual(["mailstead", "mailstead.previous"])
  })

  test("to a version that never answers is taken back", async () => {
    const it = prepare("mute")
    const old = it.machine.bytes()
    await started(it)
    let hasReturned = false
    const outcome = await it
      .update({
        clock: hurried(),
        say: (step) => {
          hasReturned ||= step.startsWith("Starting 0.1.0")
        },
        // The old server gets the real time that it needs.
        healthyVersion: () => (hasReturned ? it.machine.running() : it.machine.healthyVersion()),
      })
      .update()
    expect(outcome).toEqual({
      kind: "reverted",
      from: "0.1.0",
      to: "0.2.0",
      reason: "it was not healthy within 30 seconds",
    })
    expect(it.machine.bytes()).toEqual(old as never)
    expect(it.machine.files()).toEqual(["mailstead"])
    expect(contents(it.machine)).toEqual({ isNew: false, projects: ["Shop"] })
  })

  test("whose migration fails is taken back together with the database", async () => {
    const it = prepare("migration")
    await started(it)
    const outcome = await it.update().update()
    expect(outcome).toMatchObject({ kind: "reverted", reason: "the step before the start failed" })
    expect(await it.machine.healthyVersion()).toBe("0.1.0")
    expect(contents(it.machine)).toEqual({ isNew: false, projects: ["Shop"] })
    expect(databaseFiles(it.machine)).toEqual([])
  })

  const crash = new Error("killed")
  const crashAt = (words: string) => (step: string) => {
    if (step.includes(words)) throw crash
  }

  test.each([
    ["Downloading", "none", "0.1.0"],
    ["Replacing", "none", "0.1.0"],
    ["Restarting", "none", "0.2.0"],
    ["is taken back", "migration", "0.2.0"],
    ["database from before", "migration", "0.2.0"],
    ["Starting 0.1.0", "migration", "0.1.0"],
  ] as const)(
    "that is cut off at %p (%s) leaves version %p in place, and ends when it is run again",
    async (words, defect, left) => {
      const it = prepare(defect)
      await started(it)
      await expect(it.update({ say: crashAt(words) }).update()).rejects.toBe(crash)
      expect(await it.machine.versionOf()).toBe(left)
      const again = it.update()
      expect(again.isUnfinished()).toBe(words !== "Downloading")
      const ends = again.isUnfinished() ? await again.finish() : await again.update()
      const isNew = defect === "none" && words !== "Replacing"
      expect(ends.kind).toBe(isNew ? "updated" : "reverted")
      expect(await it.machine.running()).toBe(isNew ? "0.2.0" : "0.1.0")
      expect(await it.machine.versionOf()).toBe(isNew ? "0.2.0" : "0.1.0")
      expect(contents(it.machine)).toEqual({ isNew, projects: ["Shop"] })
      expect(existsSync(join(it.machine.installed, "../mailstead.update"))).toBe(false)
      expect(again.isUnfinished()).toBe(false)
    },
  )
})
