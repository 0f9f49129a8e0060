import { run } from "./commands/index.ts"

const stopping = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The first asks to stop in good order, the second insists.
  process.once(signal, () => {
    stopping.abort()
    process.once(signal, () => process.exit(1))
  })
}

// Whoever reads our output may stop reading; the server goes on.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

/** A pipe takes some 64 KB at a time: resolves when the last text is on its way, and all before it. */
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
// Who asks to stop does not wait for one that does not read.
if (!stopping.signal.aborted) await said
process.exit()
