import { run } from "./commands/index.ts"
import { whenToStop } from "./commands/stopping.ts"
import { plainReasonOf } from "./kernel/log.ts"

const stop = whenToStop()

// The reader of our output may close the pipe; the server continues.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

/** A pipe takes about 64 KB at a time: resolves when all texts so far are written. */
let said = Promise.resolve()
/** Why a part of the output is lost, on a full disk, say; not when its reader has read enough. */
let lost: Error | undefined
const say = (stream: NodeJS.WriteStream) => (text: string) => {
  const written = new Promise<void>((resolve) => {
    stream.write(text, (fault?: NodeJS.ErrnoException | null) => {
      if (fault && fault.code !== "EPIPE" && stream === process.stdout) lost = fault
      resolve()
    })
  })
  said = Promise.all([said, written]).then(() => {})
}

const code = await run(process.argv.slice(2), {
  stdout: say(process.stdout),
  stderr: say(process.stderr),
  env: process.env,
  stdin: () => Bun.stdin.text(),
  stop,
})
// Stopping does not wait for a reader that does not read.
if (stop.aborted) process.exit(code)
await said
// It may be the only copy of a key or of a password.
if (lost && code === 0) {
  say(process.stderr)(`mailstead: The output could not be written: ${plainReasonOf(lost)}.\n`)
  await said
}
process.exit(lost ? Math.max(code, 1) : code)
