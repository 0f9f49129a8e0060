import { join } from "node:path"

const main = join(import.meta.dir, "../../../src/main.ts")

export interface ServerProcess {
  readonly url: string
  /** As the power cut does it: nothing is finished, nothing is said. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  terminate(): Promise<number>
}

/** Runs `mailstead serve` in a process of its own and resolves when it listens. */
export async function startServer(folder: string, settings: Record<string, string>): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, main, "serve", "--port", "0", "--data", folder], {
    env: { PATH: process.env.PATH ?? "", ...settings },
    stdout: "pipe",
    stderr: "pipe",
  })
  const url = await addressIn(child.stdout)
  if (url === undefined) throw new Error(`The server did not start: ${await new Response(child.stderr).text()}`)
  return {
    url,
    async kill() {
      child.kill("SIGKILL")
      await child.exited
    },
    terminate() {
      child.kill("SIGTERM")
      return child.exited
    },
  }
}

async function addressIn(output: ReadableStream<Uint8Array>): Promise<string | undefined> {
  let text = ""
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk)
    const found = /listening on (http:\/\/\S+)/.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}
