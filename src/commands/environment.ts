import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import { ConfigError, fileVariable } from "../config.ts"
import { reasonOf } from "../kernel/log.ts"
import type { Args, Io } from "./args.ts"
import { readAssignments } from "./service/assignments.ts"

/**
 * The environment with the variables of the file beside the configuration file that has its name and ends in `.env`
 * (contract A8.2): the unit of systemd gives them to the server (`EnvironmentFile=`), and a command run by hand needs the
 * same settings. Variables that are set win; one without text is not. A file that is missing adds none, and one that this
 * user may not read is warned of, except in a service of systemd, which has read the file for it.
 */
export async function withEnvironmentFile(io: Io, args: Pick<Args, "config">): Promise<Io> {
  const config = args.config ?? io.env[fileVariable]?.trim()
  if (!config) return io
  const path = `${config.slice(0, config.length - extname(config).length)}.env`
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR"].includes(cause.code ?? "")) return ""
    if (["EACCES", "EPERM"].includes(cause.code ?? "")) {
      if (io.env.INVOCATION_ID === undefined)
        io.stderr(`warning: ${path} cannot be read by this user, so its settings are not in force: run this as root\n`)
      return ""
    }
    throw new ConfigError([{ path, message: `this file cannot be read (${reasonOf(cause)})` }])
  })
  const wanting = Object.entries(readAssignments(text)).filter(([name]) => !io.env[name]?.trim())
  return { ...io, env: { ...io.env, ...Object.fromEntries(wanting) } }
}
