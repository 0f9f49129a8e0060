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

process.exitCode = await run(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  env: process.env,
  stdin: () => Bun.stdin.text(),
  stop: stopping.signal,
})
process.exit()
