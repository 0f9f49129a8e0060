import { done } from "../../src/jobs/define.ts"
import { grown, listener, range, startBus } from "./bus.ts"
import { named, runs, startJobs } from "./jobs.ts"
import { addNote, openTestStore } from "./store.ts"

/**
 * A process to be killed: `bun victim.ts bus|jobs FOLDER` enqueues work for itself, writes a note for each piece and
 * reports it on standard output. The next process on the folder does the rest.
 */
export const amount = 3_000
export const noteOf = (number: number): string => String(number).padStart(5, "0")

interface NoteWriterOptions {
  told(count: number): unknown
  /** Whether these signals never finish, so that the process does not end before it is killed. */
  isDeadly?(numbers: readonly number[]): boolean
}

/** Writes a note for each signal; a second one for the same signal would fail. */
export const noteWriter = ({ told, isDeadly }: NoteWriterOptions) =>
  listener("notes", async (numbers, unit) => {
    if (isDeadly?.(numbers)) await new Promise(() => setInterval(() => {}, 60_000))
    for (const number of numbers) await addNote(unit, noteOf(number), number)
    unit.afterCommit(() => told(numbers.length))
  })

export const noteJob = named({ concurrency: 4, attempts: 3 })

async function main(task: string, folder: string): Promise<void> {
  const store = await openTestStore(folder)
  const say = () => process.stdout.write(".")
  if (task === "bus") {
    const { bus, emit } = await startBus(store, [
      noteWriter({ told: say, isDeadly: (numbers) => numbers.includes(amount) }),
    ])
    await emit(grown, ...range(1, amount))
    await bus.drain()
  } else {
    const { jobs, add } = await startJobs(store, [
      runs(noteJob, async (name) => {
        await store.write("instance", (unit) => addNote(unit, name))
        say()
        if (name === "deadly") await new Promise(() => {})
        return done
      }),
    ])
    await add(noteJob, "a", "b", "deadly", "c")
    await jobs.drain()
  }
}

if (import.meta.main) await main(Bun.argv[2] ?? "", Bun.argv[3] ?? "")

/** Starts the process and kills it with SIGKILL once it has printed something. */
export async function killAmidst(
  task: "bus" | "jobs",
  folder: string,
  enough: (said: string) => boolean,
): Promise<void> {
  const child = Bun.spawn([process.execPath, import.meta.path, task, folder], { stdout: "pipe", stderr: "inherit" })
  let said = ""
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk)
    if (!enough(said)) continue
    child.kill("SIGKILL")
    break
  }
  await child.exited
  if (child.signalCode !== "SIGKILL") throw new Error(`The victim ended by itself: ${said}`)
}
