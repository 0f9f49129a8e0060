import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ended, type ProgramResult } from "../harness/processes.ts"

const executable = join(import.meta.dir, "../../dist", process.platform === "win32" ? "mailstead.exe" : "mailstead")

/**
 * An empty folder and an empty environment, as for a user who downloaded the single file.
 * @param through a command that the executable is run by
 */
export function emptyPlace(through: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-binary-"))
  const spawn = (args: readonly string[], env: Record<string, string>) =>
    Bun.spawn([...through, executable, ...args], { cwd: folder, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" })

  return {
    folder,
    run: (args: readonly string[], env: Record<string, string> = {}): Promise<ProgramResult> => ended(spawn(args, env)),

    /** The output that another program receives through a shell pipe. */
    piped(command: string): Promise<string> {
      const line = `"${executable}" ${command} | cat`
      const { stdout } = Bun.spawn(["sh", "-c", line], { cwd: folder, env: { PATH: "/usr/bin:/bin" }, stdout: "pipe" })
      return new Response(stdout).text()
    },

    /** Starts a server and resolves to its output once that matches. */
    async start(args: readonly string[], ready: RegExp, env: Record<string, string> = {}) {
      const child = spawn(args, env)
      let printed = ""
      const reader = child.stdout.getReader()
      while (!ready.test(printed)) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`It ended instead of starting: ${await new Response(child.stderr).text()}`)
        printed += new TextDecoder().decode(value)
      }
      return {
        printed,
        pid: child.pid,
        /** Its exit code. */
        ended: child.exited,
        async stop(): Promise<number> {
          child.kill("SIGTERM")
          return child.exited
        },
      }
    },

    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Place = ReturnType<typeof emptyPlace>
