import { beforeAll, expect, onTestFinished, test } from "bun:test"
import { mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { isSendingPaused } from "../../src/store/sending-pause.ts"
import { bundle } from "../harness/bundle.ts"
import { mountThenRun, requireMounts } from "../harness/mailstead.ts"
import { builtInKey, type Defect, makeSmallRelease, publish } from "../harness/releases.ts"
import { scratch, until } from "../harness/store.ts"
import type { UpdaterEnded, UpdaterRun } from "../harness/updater-process.ts"
import { createMachine } from "../harness/updating.ts"

const folder = scratch()

let releases = ""
let program = ""
beforeAll(async () => {
  releases = folder()
  program = await bundle("test/harness/updater-process.ts", folder())
})

/** 0.2.0 is published, with this defect. */
function publishNext(defect: Defect) {
  const publication = publish(folder(), "0.2.0", makeSmallRelease(releases, "0.2.0", defect))
  onTestFinished(publication.stop)
  return publication
}

function startUpdater(run: Omit<UpdaterRun, "key">, before: readonly string[] = []) {
  const words = JSON.stringify({ ...run, key: builtInKey } satisfies UpdaterRun)
  return Bun.spawn([...before, process.execPath, program, "update", words], { stdin: "ignore", stdout: "pipe" })
}

/** 0.1.0 runs, and has a project. */
async function prepare(defect: Defect) {
  const at = folder()
  const machine = createMachine(at, makeSmallRelease(releases, "0.1.0"))
  const publication = publishNext(defect)
  onTestFinished(machine.service.stop)
  await machine.startWithShop()
  return { at, machine, publication }
}

/** A second run of the update ends it, as `isNew` says, and nothing of the first one stays. */
async function endsRight({ machine, publication }: Awaited<ReturnType<typeof prepare>>, isNew: boolean): Promise<void> {
  const again = machine.updater(publication.url, "0.1.0")
  const outcome = again.isUnfinished() ? await again.finish() : await again.update()
  expect(outcome.kind).toBe(isNew ? "updated" : "reverted")
  expect(again.isUnfinished()).toBe(false)
  const version = isNew ? "0.2.0" : "0.1.0"
  expect([await machine.running(), await machine.versionOf()]).toEqual([version, version])
  expect(machine.contents()).toEqual({ isNew, projects: ["Shop"] })
  expect(isSendingPaused(machine.data)).toBe(false)
  expect(machine.files().filter((name) => name !== "mailstead.previous")).toEqual(["mailstead"])
}

/** The step before which the updater is killed, what is wrong with 0.2.0, what is then in place, and how it ends. */
const kills = [
  ["asking for the version", "none", "0.1.0", "0.2.0"],
  ["Replacing", "none", "0.1.0", "0.1.0"],
  ["Restarting", "none", "0.2.0", "0.2.0"],
  ["asking for the health", "none", "0.2.0", "0.2.0"],
  ["is taken back", "migration", "0.2.0", "0.1.0"],
  ["database from before", "migration", "0.2.0", "0.1.0"],
  ["Starting 0.1.0", "migration", "0.1.0", "0.1.0"],
] as const

test.each(kills)(
  "an updater that is killed at %p (%s) leaves version %p in place, and the next run ends with %p",
  async (killAt, defect, left, ends) => {
    const it = await prepare(defect)
    const killed = startUpdater({ folder: it.at, url: it.publication.url, killAt })
    await killed.exited
    expect(killed.signalCode).toBe("SIGKILL")
    expect(await it.machine.versionOf()).toBe(left)
    await endsRight(it, ends === "0.2.0")
  },
)

test("an updater that is killed during the download leaves the version that runs, and the next run downloads anew", async () => {
  const it = await prepare("none")
  it.publication.stalled.add(it.publication.archive)
  const killed = startUpdater({ folder: it.at, url: it.publication.url })
  const draft = `${it.machine.installed}.next.tar.gz`
  await until(() => (statSync(draft, { throwIfNoEntry: false })?.size ?? 0) > 0)
  killed.kill("SIGKILL")
  await killed.exited
  expect([await it.machine.versionOf(), await it.machine.running()]).toEqual(["0.1.0", "0.1.0"])
  it.publication.stalled.clear()
  await endsRight(it, true)
})

/** Runs an update whose disk gets full at a step; the machine is a new one. */
async function updateOnSmallDisk(defect: Defect, fill: UpdaterRun["fill"], size: string): Promise<UpdaterEnded> {
  const at = folder()
  const bin = join(at, "bin")
  mkdirSync(bin)
  await requireMounts(bin)
  const mount = ["unshare", "-rm", "sh", "-c", mountThenRun, "sh", size, bin]
  const install = makeSmallRelease(releases, "0.1.0")
  const { url } = publishNext(defect)
  const child = startUpdater({ folder: at, url, install, ...(fill && { fill }) }, mount)
  return JSON.parse(await new Response(child.stdout).text())
}

const small = "size=64k,nr_inodes=32"

test.each([
  ["the download", "Downloading", "bytes"],
  ["the second name of the old executable", "asking for the version", "names"],
  ["the state of the update", "asking for the version", "bytes"],
] as const)("a disk with no room for %s leaves the executable as it was, and no draft", async (_, at, kind) => {
  const ended = await updateOnSmallDisk("none", { at, with: kind }, small)
  expect(ended.outcome).toContain("ENOSPC")
  expect(ended).toMatchObject({ version: "0.1.0", running: "0.1.0" })
  expect(ended.files).toEqual(["mailstead"])
})

test("a disk that gets full before the new version is taken back does not keep the old one from coming back", async () => {
  const ended = await updateOnSmallDisk("migration", { at: "Restarting", with: "bytes" }, small)
  expect(ended).toEqual({ outcome: "reverted", version: "0.1.0", running: "0.1.0", files: ["mailstead"] })
})
