import { run } from "./commands/index.ts"

const stopping = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The first signal stops gracefully, the second at once.
  process.once(signal, () => {
    stopping.abort()
    process.once(signal, () => process.exit(1))
  })
}
// A process that the server started, such as one that takes a backup, ends with it, also when the server is killed.
process.once("disconnect", () => stopping.abort())

// The reader of our output may close the pipe; the server continues.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

/** A pipe takes about 64 KB at a time: resolves when all texts so far are written. */
let said = Promise.resolve()
const say = (stream: NodeJS.WriteStream) => (text: string) => {
  said = Promise.all([said, new Promise((sent) => stream.write(text, sent))]).then(() => {})
}

process.exitCode = await run(process.argv.slice(2), {
  stdout: say(process.stdout),
  stderr: say(process.stderr),
  env: process.env,
  stdin: () => Bun.stdin.text(),
  stop: stopping.signal,
})
// Stopping does not wait for a reader that does not read.
if (!stopping.signal.aborted) await said
process.exit()
