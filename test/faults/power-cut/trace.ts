import { join } from "node:path"

/** What a process asked of its disk, in the order in which it asked. */
export type DiskEvent =
  | { readonly is: "write"; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly is: "truncate"; readonly file: string; readonly size: number }
  /** Calls of two threads overlap, so that a sync has a beginning and an end. */
  | { readonly is: "sync begins" | "sync ends"; readonly file: string; readonly call: string }
  /** The process told somebody this number. */
  | { readonly is: "acknowledged"; readonly number: number }

/**
 * Runs a script on a data folder under strace, and resolves to what it did with the files of the folder. Each of its syncs
 * lasts `syncMs` longer, so that much happens meanwhile.
 */
export async function traceOf(script: string, folder: string, syncMs: number, ...args: string[]): Promise<DiskEvent[]> {
  const strace = Bun.which("strace")
  if (strace === null) throw new Error("strace is missing: apt-get install strace")
  const out = join(folder, "trace")
  const calls = "trace=pwrite64,write,fdatasync,fsync,ftruncate"
  const delay = `inject=fdatasync:delay_enter=${syncMs * 1_000}`
  const child = Bun.spawn(
    [
      strace,
      "-f",
      "-y",
      "-xx",
      "-s",
      "70000",
      "-e",
      calls,
      "-e",
      delay,
      "-o",
      out,
      process.execPath,
      script,
      folder,
      ...args,
    ],
    { stdout: "ignore", stderr: "pipe" },
  )
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`The traced process failed, or tracing is not allowed here: ${said}`)
  return eventsIn(await Bun.file(out).text(), folder)
}

function eventsIn(text: string, folder: string): DiskEvent[] {
  const events: DiskEvent[] = []
  const interrupted = new Map<string, DiskEvent>()
  for (const line of text.split("\n")) {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (rest.startsWith("<... ")) {
      const end = interrupted.get(thread)
      interrupted.delete(thread)
      if (end !== undefined) events.push(end)
      continue
    }
    const [begin, end] = eventsOf(rest, thread, folder)
    if (begin !== undefined) events.push(begin)
    if (end === undefined) continue
    if (rest.endsWith("<unfinished ...>")) interrupted.set(thread, end)
    else events.push(end)
  }
  return events
}

/** The event at the beginning of a call, and the one at its end. A write may reach the disk from its beginning on. */
function eventsOf(line: string, call: string, folder: string): [DiskEvent?, DiskEvent?] {
  const [, name = "", descriptor = "", path = "", rest = ""] = /^(\w+)\((\d+)<([^>]*)>(.*)$/.exec(line) ?? []
  const file = decoded(path).toString()
  if (name === "write" && descriptor === "1") return [{ is: "acknowledged", number: Number(bytesIn(rest).toString()) }]
  if (!file.startsWith(join(folder, "mailstead.db"))) return []
  const numbers = rest.replace(/"[^"]*"/, "").match(/\d+/g) ?? []
  switch (name) {
    case "pwrite64":
      return [{ is: "write", file, at: Number(numbers[1]), bytes: bytesIn(rest) }]
    case "ftruncate":
      return [{ is: "truncate", file, size: Number(numbers[0]) }]
    case "fsync":
    case "fdatasync":
      return [
        { is: "sync begins", file, call },
        { is: "sync ends", file, call },
      ]
    default:
      throw new Error(`A call that the replay does not know: ${line.slice(0, 200)}`)
  }
}

const bytesIn = (rest: string): Buffer => decoded(/"([^"]*)"/.exec(rest)?.[1] ?? "")

/** strace writes every byte as `\x` and two digits. */
const decoded = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex")
