import { join } from "node:path"
import { jsonObject } from "../../kernel/api-call.ts"
import { buildInfo } from "../../kernel/build-info.ts"
import { backupFault } from "./fault.ts"
import type { TakeOptions } from "./take.ts"

/** Takes a backup in another process; resolves to its bytes. Rejects with a sentence fit to be shown. */
export type TakeBackup = (options: TakeOptions, abort: AbortSignal) => Promise<number>

/** The executable, or the interpreter with the sources. */
const program =
  buildInfo.commit === "dev" ? [process.execPath, join(import.meta.dir, "../../main.ts")] : [process.execPath]

/** Runs `mailstead backup`, which is why the server never reads the file of its own database (`holdSnapshot`). */
export const takeInProcess: TakeBackup = async ({ folder, target, passphrase, withSecret }, abort) => {
  const child = Bun.spawn(
    [
      ...program,
      ...["backup", target, "--data", folder, "--json"],
      ...(passphrase === undefined ? [] : ["--passphrase-stdin"]),
      ...(withSecret ? ["--with-secret"] : []),
    ],
    {
      env: {},
      stdin: new Blob([passphrase ?? ""]),
      stdout: "pipe",
      stderr: "pipe",
      signal: abort,
      // Nothing is sent over this pipe: when it closes because the server was killed, the process stops.
      ipc() {},
    },
  )
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  abort.throwIfAborted()
  const bytes = jsonObject(stdout)?.bytes
  if (code === 0 && typeof bytes === "number") return bytes
  throw backupFault(stderr.trim().replace(/^mailstead: /, "") || `The process ended with ${code}.`)
}
