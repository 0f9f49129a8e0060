import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import { ConfigError, fileVariable } from "../config.ts"
import { reasonOf } from "../kernel/log.ts"
import type { Args, Io } from "./args.ts"
import { readAssignments } from "./service/assignments.ts"

/**
 * The environment with the variables of the file beside the configuration file that has its name and ends in `.env`
 * (contract A8.2): the unit of systemd gives them to the server (`EnvironmentFile=`), and a command run by hand needs the
 * same settings. Variables that are set win. A file that is missing, or that this user may not read, adds none: the
 * server's own user may not, because systemd reads the file for it.
 */
export async function withEnvironmentFile(io: Io, args: Pick<Args, "config">): Promise<Io> {
  const config = args.config ?? io.env[fileVariable]?.trim()
  if (!config) return io
  const path = `${config.slice(0, config.length - extname(config).length)}.env`
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(cause.code ?? "")) return ""
    throw new ConfigError([{ path, message: `this file cannot be read (${reasonOf(cause)})` }])
  })
  return { ...io, env: { ...readAssignments(text), ...io.env } }
}
