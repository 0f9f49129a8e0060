import { join } from "node:path"
import { withModules } from "../app.ts"
import { type Config, fileVariable, loadConfig, type Mode, readConfigFile, type Settings } from "../config.ts"
import type { Modules } from "../modules.ts"
import { databaseName, hasData, requireData, requireKept } from "../store/database-file.ts"
import type { Args, Io } from "./args.ts"
import { logTo } from "./logging.ts"
import { becomeOwnerOf } from "./owner.ts"

/**
 * The configuration of a command from its options, the environment, the file that `--config` or `MAILSTEAD_CONFIG`
 * names, and the defaults. Warnings go to standard error, those of a server to its log; throws a ConfigError.
 */
export async function configOf(
  io: Io,
  args: Pick<Args, "config" | "settings">,
  { mode = "serve", defaults = {}, isServer = false }: { mode?: Mode; defaults?: Settings; isServer?: boolean } = {},
): Promise<Config> {
  const path = args.config ?? io.env[fileVariable]?.trim()
  const file = path ? { file: await readConfigFile(path) } : {}
  const { config, warnings } = loadConfig({ mode, defaults, options: args.settings, env: io.env, ...file })
  const warn = isServer ? logTo(io, config.log).warn : (warning: string) => io.stderr(`warning: ${warning}\n`)
  for (const warning of warnings) warn(warning)
  return config
}

/**
 * `withModules` on the data folder of a command. A folder without data is refused, so that a mistyped `--data` creates
 * none; with `makes` it is created, which is reported on standard error. With `reads` the database is not migrated, so
 * that an earlier version can still use it.
 */
export async function onData<T>(
  io: Io,
  args: Pick<Args, "config" | "settings">,
  work: (modules: Modules["actions"], config: Config) => Promise<T>,
  { makes = false, reads = false } = {},
): Promise<T> {
  const config = await configOf(io, args)
  if (makes) requireKept(config.data)
  else requireData(config.data)
  const isNew = !hasData(config.data)
  // Otherwise root would leave files, such as those of the lock, that the server cannot open.
  becomeOwnerOf(isNew ? config.data : join(config.data, databaseName))
  const onModules = (modules: Modules["actions"]) => {
    if (isNew) io.stderr(`${config.data} held no data: a new database was made there.\n`)
    return work(modules, config)
  }
  return withModules(config, onModules, { access: reads ? "inspect" : "shared" })
}
