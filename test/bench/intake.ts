import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runTool, startProgram } from "./tools/process.ts"
import { type Figure, ratioOf } from "./tools/table.ts"

const main = join(import.meta.dir, "../../src/main.ts")
const size = 10_240
const source = "/usr/sbin/smtp-source"

/** SMTP intake of the sandbox, durable, against the smtp-server package with an empty handler. */
export async function intake(): Promise<Figure[]> {
  const bare = await startProgram([process.execPath, join(import.meta.dir, "tools/bare-smtp.ts")], /listening on (\d+)/)
  await load(bare.found, 2_000, true)
  const limit = await load(bare.found, 20_000, true)
  await bare.stop()

  const folder = mkdtempSync(join(tmpdir(), "mailstead-intake-"))
  const command = [process.execPath, main, "sandbox", "--port", "0", "--smtp-port", "0", "--data", folder]
  const ours = await startProgram(command, /SMTP\s+127\.0\.0\.1:(\d+)/)
  await load(ours.found, 1_000, true)
  const reused = await load(ours.found, 10_000, true)
  const fresh = await load(ours.found, 4_000, false)
  await ours.stop()
  rmSync(folder, { recursive: true, force: true })

  return [
    ratioOf("sandbox intake, 10 KB, durable, 8 connections reused", reused, limit, 0.3, "smtp-source"),
    {
      what: "sandbox intake, a new connection for every message",
      value: `${Math.round(fresh).toLocaleString("en")}/s`,
      target: ">= 1,000/s",
      met: fresh >= 1_000,
      by: "smtp-source",
    },
  ]
}

/** Messages per second of smtp-source with eight sessions. */
async function load(port: string, count: number, reuse: boolean): Promise<number> {
  const started = performance.now()
  const options = ["-s", "8", "-l", String(size), "-m", String(count), ...(reuse ? ["-d"] : [])]
  await runTool([source, ...options, "-f", "app@acme.test", "-t", "ada@example.com", `127.0.0.1:${port}`], "postfix")
  return count / ((performance.now() - started) / 1_000)
}
