import { isIP } from "node:net"
import type { Config } from "../config.ts"
import type { Io } from "./args.ts"

/** Says so when others than this machine reach a sandbox: its keys are known to everybody, and SMTP asks for none. */
export function warnOfExposure(io: Pick<Io, "stderr">, { http, smtp }: Pick<Config, "http" | "smtp">): void {
  const open = [...new Set([http.host, smtp.host])].filter((host) => !isLoopback(host))
  if (open.length === 0) return
  io.stderr(
    `warning: the sandbox listens on ${open.join(" and ")}: whoever reaches it there can read all mail and send, without signing in\n`,
  )
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
