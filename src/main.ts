import { run } from "./commands/index.ts"
import { whenToStop } from "./commands/stopping.ts"

const stop = whenToStop()

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
  stop,
})
// Stopping does not wait for a reader that does not read.
if (!stop.aborted) await said
process.exit()
