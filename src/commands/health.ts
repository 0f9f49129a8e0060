import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { addressOf, type Config } from "../config.ts"
import { hasLostServer } from "../store/machine.ts"
import { unusable } from "../store/unusable.ts"
import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"
import { configOf } from "./settings.ts"

const noteOf = (folder: string): string => join(folder, "mailstead.url")

/** Stores in the data folder the address at which this machine reaches the running server. */
export function keepAddress({ data, http }: Pick<Config, "data" | "http">, port: number): void {
  const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[http.host] ?? http.host
  try {
    writeFileSync(noteOf(data), addressOf(host, port), { mode: 0o600 })
  } catch (cause) {
    throw unusable(noteOf(data), cause)
  }
}

/**
 * Never throws, so that the server always stops: on a disk that has become read-only the note stays, as after `kill
 * -9`.
 */
export function forgetAddress({ data }: Pick<Config, "data">): void {
  try {
    rmSync(noteOf(data), { force: true })
  } catch {}
}

interface Health {
  readonly status: string
  readonly version: string
}

/** The answer of a data folder's server to `GET /health`; throws a sentence when there is none. */
export async function healthOf(folder: string): Promise<Health & { readonly ok: boolean }> {
  const { response, address } = await ask(folder, "/health")
  const { status, version } = (await response.json().catch(() => ({}))) as Partial<Health>
  if (typeof status !== "string" || typeof version !== "string")
    throw new Error(`What answers on ${address} is not Mailstead.`)
  return { status, version, ok: response.ok }
}

/** The address of the dashboard of the server that runs on a data folder; undefined when none answers. */
export async function dashboardOf(folder: string): Promise<string | undefined> {
  try {
    const { urls } = (await (await ask(folder, "/config")).response.json()) as { urls?: { dashboard?: unknown } }
    return typeof urls?.dashboard === "string" ? urls.dashboard : undefined
  } catch {
    return undefined
  }
}

async function ask(folder: string, path: string): Promise<{ response: Response; address: string }> {
  let address: string
  try {
    address = readFileSync(noteOf(folder), "utf8")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw unusable(noteOf(folder), cause)
    throw new Error(`No server is running on ${folder}.`)
  }
  // After `kill -9` the note stays, and another server may have the port.
  if (hasLostServer(folder)) throw new Error(`No server is running on ${folder}.`)
  if (!/^https?:\/\/[^/]+$/.test(address)) throw new Error(`${noteOf(folder)} holds no address.`)
  const response = await fetch(address + path, {
    signal: AbortSignal.timeout(5_000),
    redirect: "error",
    // The certificate is for the public name.
    tls: { rejectUnauthorized: false },
    // That of `HTTP_PROXY` does not reach this machine.
    proxy: false,
  }).catch(() => undefined)
  if (response === undefined) throw new Error(`No server answers on ${address}.`)
  return { response, address }
}

export const health = defineCommand({
  name: "health",
  summary: "Check whether the running server of a data folder is healthy",
  about: "Exit code 0 when it is, 1 when it is not or does not run; for the health check of a container.",
  options: {},
  async run(io, args) {
    const { data } = await configOf(io, args)
    const { ok, status, version } = await healthOf(data).catch((cause) => {
      if (args.json) answer(io, args, { status: null, version: null }, "")
      throw cause
    })
    answer(io, args, { status, version }, `${status} (${version})`)
    return ok ? 0 : 1
  },
})
