import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createMachine, openMachine } from "./updating.ts"

/** What one run of the updater in a process of its own is told, as JSON. */
export interface UpdaterRun {
  /** Of the machine. */
  readonly folder: string
  readonly url: string
  readonly key: string
  /** The process kills itself (SIGKILL) before it goes on with the step whose text has these words. */
  readonly killAt?: string
  /** Installs this on a small empty disk first, which is then filled at a step: its bytes, or its names of files. */
  readonly install?: string
  readonly fill?: { readonly at: string; readonly with: "bytes" | "names" }
}

/** Only for a run with `fill`, which ends by itself. */
export interface UpdaterEnded {
  readonly outcome: string
  readonly version: string
  readonly running: string | undefined
  readonly files: readonly string[]
}

const filler = "filler"

function fill(folder: string, kind: "bytes" | "names"): void {
  const at = join(folder, filler)
  mkdirSync(at, { recursive: true })
  try {
    for (let n = 0; n < 10_000; n++)
      if (kind === "bytes") appendFileSync(join(at, "bytes"), Buffer.alloc(4_096))
      else writeFileSync(join(at, String(n)), "")
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOSPC") return
    throw cause
  }
  throw new Error("This disk does not get full.")
}

async function run(given: UpdaterRun): Promise<UpdaterEnded> {
  const { folder, url, key, killAt, install, fill: filled } = given
  const machine = install === undefined ? openMachine(folder) : createMachine(folder, install)
  const reach = (step: string) => {
    if (killAt !== undefined && step.includes(killAt)) process.kill(process.pid, "SIGKILL")
    if (filled !== undefined && step.includes(filled.at)) fill(dirname(machine.installed), filled.with)
  }
  if (install !== undefined) await machine.service.restart()
  const updater = machine.updater(url, "0.1.0", {
    trust: { platform: "linux-x64", key },
    say: reach,
    versionOf(path) {
      reach("asking for the version")
      return machine.versionOf(path)
    },
    healthyVersion() {
      reach("asking for the health")
      return machine.healthyVersion()
    },
  })
  const outcome = await updater.update().then(
    ({ kind }) => kind,
    ({ message }) => message,
  )
  const version = await machine.versionOf()
  const running = await machine.running()
  await machine.service.stop()
  return { outcome, version, running, files: machine.files().filter((name) => name !== filler) }
}

console.log(JSON.stringify(await run(JSON.parse(process.argv.at(-1) ?? ""))))
