import { join } from "node:path"
import type { Scope } from "./service.ts"

/** Where an installed server has its files. */
export interface Places {
  readonly scope: Scope
  readonly executable: string
  readonly data: string
  readonly config: string
  /** Settings as environment variables, for passwords. */
  readonly environment: string
  readonly unit: string
}

const system: Places = {
  scope: "system",
  executable: "/usr/local/bin/mailstead",
  data: "/var/lib/mailstead",
  config: "/etc/mailstead/mailstead.toml",
  environment: "/etc/mailstead/mailstead.env",
  unit: "/etc/systemd/system/mailstead.service",
}

/** Root installs for the machine, everybody else in their home, in the folders of the XDG specification. */
export function placesOf(env: Readonly<Record<string, string | undefined>>, isRoot = process.getuid?.() === 0): Places {
  if (isRoot) return system
  const home = env.HOME
  if (home === undefined || home === "") throw new Error("HOME is not set, so there is no place to install to.")
  const config = env.XDG_CONFIG_HOME || join(home, ".config")
  return {
    scope: "user",
    executable: join(home, ".local/bin/mailstead"),
    data: join(env.XDG_DATA_HOME || join(home, ".local/share"), "mailstead"),
    config: join(config, "mailstead/mailstead.toml"),
    environment: join(config, "mailstead/mailstead.env"),
    unit: join(config, "systemd/user/mailstead.service"),
  }
}

/** The same below another root folder, for an image of a machine that is not running yet. */
export function below(root: string, places: Places): Places {
  const { scope, ...paths } = places
  const moved = Object.entries(paths).map(([name, path]) => [name, join(root, path)])
  return { scope, ...(Object.fromEntries(moved) as Omit<Places, "scope">) }
}
