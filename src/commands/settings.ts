import { type Config, fileVariable, loadConfig, type Mode, readConfigFile, type Settings } from "../config.ts"
import type { Args, Io } from "./args.ts"

/**
 * The configuration of a command from its options, the environment, the file that `--config` or `MAILSTEAD_CONFIG`
 * names, and the defaults. Warnings go to standard error; throws a ConfigError.
 */
export async function configOf(
  io: Io,
  args: Pick<Args, "config" | "settings">,
  { mode = "serve", defaults = {} }: { mode?: Mode; defaults?: Settings } = {},
): Promise<Config> {
  const path = args.config ?? io.env[fileVariable]?.trim()
  const file = path ? { file: await readConfigFile(path) } : {}
  const { config, warnings } = loadConfig({ mode, defaults, options: args.settings, env: io.env, ...file })
  for (const warning of warnings) io.stderr(`warning: ${warning}\n`)
  return config
}
