import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runTool } from "./process.ts"

export interface HttpLoad {
  readonly url: string
  readonly path: string
  readonly key: string
  /** Instead of the key. */
  readonly headers?: Readonly<Record<string, string>>
  /** `POST` when absent. */
  readonly method?: "GET" | "POST"
  /** A Lua expression for the body, in which `n` counts the requests. */
  readonly body: string
  readonly connections: number
  readonly seconds: number
}

interface HttpFigures {
  readonly perSecond: number
  readonly p99Ms: number
}

/** Loads an HTTP server with wrk, one thread; every response must be 2xx. */
export async function wrk({ url, path, key, body, connections, seconds, ...more }: HttpLoad): Promise<HttpFigures> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-wrk-"))
  const script = join(folder, "load.lua")
  const headers = { "Content-Type": "application/json", ...(more.headers ?? { Authorization: `Bearer ${key}` }) }
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  writeFileSync(
    script,
    `wrk.method = "${more.method ?? "POST"}"
${lines.join("\n")}
local n = 0
request = function()
  n = n + 1
  return wrk.format(nil, "${path}", nil, ${body})
end
`,
  )
  try {
    const command = ["wrk", "-t1", `-c${connections}`, `-d${seconds}`, "--latency", "-s", script, url]
    const output = await runTool(command, "wrk")
    if (/Non-2xx|Socket errors/.test(output)) throw new Error(`wrk met errors:\n${output}`)
    return {
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
      p99Ms: inMs(/99%\s+([\d.]+)(us|ms|s)/.exec(output)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const unit: Record<string, number> = { us: 0.001, ms: 1, s: 1000 }
const inMs = (found: RegExpExecArray | null): number => Number(found?.[1]) * (unit[found?.[2] ?? ""] ?? Number.NaN)
