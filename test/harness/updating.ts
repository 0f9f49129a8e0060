import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { healthOf } from "../../src/commands/health.ts"
import { runProgram, type Service } from "../../src/commands/service/service.ts"
import { createUpdater, type UpdaterDeps } from "../../src/commands/update/updater.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { builtInKey } from "./releases.ts"

/** A machine with an installed executable, a data folder, and a service that does what the unit of systemd says. */
export function createMachine(folder: string, executable: string) {
  const installed = join(folder, "bin/mailstead")
  const data = join(folder, "data")
  mkdirSync(join(folder, "bin"), { recursive: true })
  copyFileSync(executable, installed)
  let server: Bun.Subprocess | undefined
  let listening: Promise<unknown> = Promise.resolve()

  const service: Service = {
    isActive: async () => true,
    async restart() {
      await service.stop()
      const migrated = await runProgram([installed, "migrate", "--data", data])
      if (migrated.code !== 0) throw new Error("the step before the start failed")
      server = Bun.spawn([installed, "serve", "--data", data, "--port", "0"], {
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
      })
      listening = saidOf(server.stdout as ReadableStream<Uint8Array>)
    },
    async stop() {
      server?.kill("SIGTERM")
      await server?.exited
      server = undefined
    },
  }

  const healthyVersion = (): Promise<string | undefined> =>
    healthOf(data).then(
      ({ ok, version }) => (ok ? version : undefined),
      () => undefined,
    )

  return {
    installed,
    data,
    service,
    healthyVersion,
    /** The version of the server, once it listens. */
    async running(): Promise<string | undefined> {
      await listening
      return healthyVersion()
    },
    async versionOf(path = installed): Promise<string> {
      const { stdout, stderr, code } = await runProgram([path, "version", "--json"])
      if (code !== 0) throw new Error(stderr)
      return JSON.parse(stdout).version
    },
    /** What is in the folder of the executable. */
    files: () => readdirSync(join(folder, "bin")).sort(),
    bytes: (name = "mailstead") => {
      const path = join(folder, "bin", name)
      return existsSync(path) ? readFileSync(path) : undefined
    },
    updater(url: string, version: string, deps: Partial<UpdaterDeps> = {}) {
      return createUpdater({
        executable: installed,
        version,
        trust: { platform: "linux-x64", key: builtInKey },
        url,
        data,
        service,
        healthyVersion,
        versionOf: (path) => this.versionOf(path),
        clock: systemClock,
        abort: new AbortController().signal,
        say: () => {},
        ...deps,
      })
    },
  }
}

/** Resolves when the server has said that it listens, or has ended. */
async function saidOf(output: ReadableStream<Uint8Array>): Promise<void> {
  let said = ""
  for await (const chunk of output) {
    said += new TextDecoder().decode(chunk)
    if (said.includes("listening on")) return
  }
}

export type Machine = ReturnType<typeof createMachine>
