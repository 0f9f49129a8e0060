import { afterEach, beforeAll, describe, expect, onTestFinished, setSystemTime, test } from "bun:test"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runProgram } from "../../src/commands/service/service.ts"
import type { UpdaterDeps } from "../../src/commands/update/updater.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { isSendingPaused, pauseSending, sendingPauseOf } from "../../src/store/sending-pause.ts"
import { bundle } from "../harness/bundle.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
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
afterEach(() => void setSystemTime())

let releases = ""
beforeAll(() => {
  releases = folder()
})

/** Version 0.1.0 is installed, and 0.2.0 published. */
function prepare(defect: Defect = "none", version = "0.2.0", key?: KeyObject, make = makeSmallRelease) {
  const machine = createMachine(folder(), make(releases, "0.1.0"))
  const publication = publish(folder(), version, make(releases, version, defect), key)
  for (const { stop } of [machine.service, publication]) onTestFinished(stop)
  const update = (deps: Partial<UpdaterDeps> = {}) => machine.updater(publication.url, "0.1.0", deps)
  return { machine, publication, update }
}

/** Waits that take no time. */
function hurried(): Pick<UpdaterDeps, "clock" | "elapsed"> {
  const clock = createFakeClock()
  return { clock: { sleep: async (ms) => clock.jump(ms) }, elapsed: clock.now }
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
        files.set(
          "update.json",
          new TextEncoder().encode(
            text.replace(/"signature":"(.)/, (_, first) => `"signature":"${first === "+" ? "/" : "+"}`),
          ),
        )
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

  test("that is older, for another platform or signed by another key is refused", async () => {
    await refused(prepare("none", "0.0.9"), "not newer than this version, 0.1.0")
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

const databaseFiles = ({ data }: Machine) => readdirSync(data).filter((name) => name.startsWith("mailstead.db.before"))

describe("an update", () => {
  test("replaces the executable, restarts the server and keeps the old one", async () => {
    const it = prepare()
    const old = it.machine.bytes()
    await it.machine.startWithShop()
    expect(await it.update().check()).toEqual({ version: "0.2.0", isNewer: true })
    expect(await it.update().update()).toEqual({ kind: "updated", from: "0.1.0", to: "0.2.0", isRunning: true })
    expect(await it.machine.healthyVersion()).toBe("0.2.0")
    expect(it.machine.files()).toEqual(["mailstead", "mailstead.previous"])
    expect(it.machine.bytes("mailstead.previous")).toEqual(old as never)
    expect(await it.machine.versionOf()).toBe("0.2.0")
    expect(it.machine.contents()).toEqual({ isNew: true, projects: ["Shop"] })
  })

  test("of the real program keeps its data", async () => {
    const program = await bundle("src/main.ts", folder())
    const it = prepare("none", "0.2.0", undefined, (at, version) => makeRelease(at, version, program))
    const run = (...words: string[]) => runProgram([it.machine.installed, ...words, "--data", it.machine.data])
    await run("project", "create", "Shop")
    await it.machine.service.restart()
    expect(await it.machine.running()).toBe("0.1.0")
    expect((await it.update().update()).kind).toBe("updated")
    expect((await run("health")).stdout).toBe("ok (0.2.0)\n")
    expect((await run("project", "list")).stdout).toContain("Shop")
  })

  test("comes also from a web server that tells archives as compressed for the way", async () => {
    const { machine, publication, update } = prepare()
    publication.encoded.add(publication.archive)
    expect(await update({ service: undefined }).update()).toMatchObject({ kind: "updated", to: "0.2.0" })
    expect(await machine.versionOf()).toBe("0.2.0")
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
    await it.machine.startWithShop()
    let hasReturned = false
    const outcome = await it
      .update({
        ...hurried(),
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
    expect(it.machine.contents()).toEqual({ isNew: false, projects: ["Shop"] })
  })

  test("to a version that ends at once is taken back without a wait", async () => {
    const it = prepare("mute")
    await it.machine.startWithShop()
    let pauses = 0
    const outcome = await it
      .update({
        service: { ...it.machine.service, isActive: async () => (await it.machine.versionOf()) === "0.1.0" },
        clock: {
          sleep(ms, abort) {
            pauses++
            return systemClock.sleep(ms, abort)
          },
        },
        say: (step) => {
          if (step.startsWith("0.2.0 is taken back")) expect(pauses).toBe(0)
        },
      })
      .update()
    expect(outcome).toMatchObject({ kind: "reverted", reason: "it ended and is not started again" })
    expect(it.machine.contents()).toEqual({ isNew: false, projects: ["Shop"] })
  })

  test("is not taken back because the clock of the machine is set meanwhile", async () => {
    const it = prepare()
    await it.machine.startWithShop()
    let pauses = 0
    const sleep = async () => {
      pauses++
      setSystemTime(new Date(Date.now() + 3_600_000))
      await it.machine.running()
    }
    const isSlow = async () => (pauses < 2 ? undefined : it.machine.healthyVersion())
    const outcome = await it.update({ clock: { sleep }, healthyVersion: isSlow }).update()
    expect([outcome.kind, pauses]).toEqual(["updated", 2])
  })

  test("whose migration fails is taken back together with the database", async () => {
    const it = prepare("migration")
    await it.machine.startWithShop()
    const outcome = await it.update().update()
    expect(outcome).toMatchObject({ kind: "reverted", reason: "the step before the start failed" })
    expect(await it.machine.healthyVersion()).toBe("0.1.0")
    expect(it.machine.contents()).toEqual({ isNew: false, projects: ["Shop"] })
    expect(databaseFiles(it.machine)).toEqual([])
  })

  test.each([
    ["none", "updated"],
    ["mute", "reverted"],
  ] as const)("sends nothing until it is known whether the new version stays (%s)", async (defect, kind) => {
    const it = prepare(defect)
    await it.machine.startWithShop()
    const atRestarts: boolean[] = []
    const restart = () => {
      atRestarts.push(isSendingPaused(it.machine.data))
      return it.machine.service.restart()
    }
    const isActive = async () => (await it.machine.versionOf()) === "0.1.0" || defect === "none"
    const outcome = await it.update({ service: { ...it.machine.service, restart, isActive } }).update()
    expect(outcome.kind).toBe(kind)
    expect(atRestarts).toEqual(kind === "updated" ? [true] : [true, false])
    expect(isSendingPaused(it.machine.data)).toBe(false)
  })

  test("pauses no sandbox, whose mail stays on the machine (contract B8.3.26)", async () => {
    const it = prepare()
    mkdirSync(it.machine.data)
    writeFileSync(join(it.machine.data, "mode"), "sandbox")
    await it.machine.startWithShop()
    const atRestarts: boolean[] = []
    const restart = () => {
      atRestarts.push(isSendingPaused(it.machine.data))
      return it.machine.service.restart()
    }
    const outcome = await it.update({ service: { ...it.machine.service, restart } }).update()
    expect([outcome.kind, atRestarts]).toEqual(["updated", [false]])
  })

  test("leaves a pause that somebody has made since as it is when it is brought to its end", async () => {
    const it = prepare()
    await it.machine.startWithShop()
    await expect(it.update({ ...hurried(), healthyVersion: async () => undefined }).update()).rejects.toThrow(
      "is not healthy either",
    )
    expect(isSendingPaused(it.machine.data)).toBe(false)
    writeFileSync(join(it.machine.data, "sending-paused"), "")
    const healthyVersion = () => it.machine.running()
    expect((await it.update({ healthyVersion }).finish()).kind).toBe("reverted")
    expect(isSendingPaused(it.machine.data)).toBe(true)
  })

  test("leaves the pause of a restore as it is", async () => {
    const it = prepare()
    await it.machine.startWithShop()
    const pause = { since: Date.UTC(2026, 0, 2), takenAt: Date.UTC(2026, 0, 1) }
    pauseSending(it.machine.data, pause)
    expect((await it.update().update()).kind).toBe("updated")
    expect(sendingPauseOf(it.machine.data)).toEqual(pause)
  })
})
