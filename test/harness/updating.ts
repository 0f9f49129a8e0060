import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { healthOf } from "../../src/commands/health.ts"
import { runProgram, type Service } from "../../src/commands/service/service.ts"
import { createUpdater, type UpdaterDeps } from "../../src/commands/update/updater.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { inDatabase } from "./backups.ts"
import { isRunning } from "./processes.ts"
import { builtInKey } from "./releases.ts"
import { until } from "./store.ts"

/** A machine with an installed executable, a data folder, and a service that does what the unit of systemd says. */
export function createMachine(folder: string, executable: string) {
  mkdirSync(join(folder, "bin"), { recursive: true })
  copyFileSync(executable, join(folder, "bin/mailstead"))
  return openMachine(folder)
}

/** The machine that another process has made in this folder. */
export function openMachine(folder: string) {
  const installed = join(folder, "bin/mailstead")
  const data = join(folder, "data")
  const [pidFile, output] = [join(folder, "server.pid"), join(folder, "server.log")]
  const serverPid = (): number => (existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) : 0)
  const runs = (): boolean => serverPid() > 0 && isRunning(serverPid())

  const service: Service = {
    isActive: async () => true,
    async restart() {
      await service.stop()
      const migrated = await runProgram([installed, "migrate", "--data", data])
      if (migrated.code !== 0) throw new Error("the step before the start failed")
      const stdout = openSync(output, "w")
      const server = Bun.spawn([installed, "serve", "--data", data, "--port", "0"], {
        stdin: "ignore",
        stdout,
        stderr: "ignore",
      })
      closeSync(stdout)
      server.unref()
      writeFileSync(pidFile, String(server.pid))
    },
    async stop() {
      if (!runs()) return
      process.kill(serverPid(), "SIGTERM")
      await until(() => !runs())
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
      await until(() => !runs() || readFileSync(output, "utf8").includes("listening on"))
      return healthyVersion()
    },
    /** Starts 0.1.0, and has something in its database. */
    async startWithShop(): Promise<void> {
      await service.restart()
      if ((await this.running()) !== "0.1.0") throw new Error("0.1.0 did not start.")
      inDatabase(data, (db) => db.run("INSERT INTO project VALUES ('Shop')"))
    },
    /** Whether the database is that of a newer version, and its projects. */
    contents: () =>
      inDatabase(data, (db) => ({
        isNew: db.query("SELECT 1 FROM sqlite_schema WHERE name = 'novelty'").get() !== null,
        projects: db
          .query<{ name: string }, []>("SELECT name FROM project")
          .all()
          .map(({ name }) => name),
      })),
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
        elapsed: () => performance.now(),
        abort: new AbortController().signal,
        say: () => {},
        ...deps,
      })
    },
  }
}

export type Machine = ReturnType<typeof createMachine>
