import { existsSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Listening } from "../app.ts"
import { addressOf, type Config } from "../config.ts"
import { defineCommand } from "./args.ts"
import { runServer } from "./running.ts"
import { configOf } from "./settings.ts"

export const sandbox = defineCommand({
  name: "sandbox",
  summary: "Run a mail sandbox: nothing leaves this machine",
  about: "Starts with nothing to set up. Mail sent by API or SMTP is captured and shown in the inbox.",
  options: {
    data: {
      value: "DIR",
      help: "Data folder (default a temporary one, deleted with all mail when the sandbox stops)",
      setting: "data",
    },
    host: { value: "HOST", help: "Address to listen on (default 127.0.0.1)", setting: "http.host" },
    port: { value: "PORT", help: "Port to listen on, 0 picks one (default 3000)", setting: "http.port" },
    clock: {
      value: "CLOCK",
      help: "system, or manual: stands still until POST /sandbox/clock turns it (default system)",
      setting: "sandbox.clock",
    },
    "smtp-port": { value: "PORT", help: "Port for SMTP, 0 picks one (default 1025)", setting: "smtp.submission_port" },
  },
  async run(io, args) {
    // Created only without `--data`, so that a sandbox with a folder also runs where nothing temporary can be written.
    const folder = join(tmpdir(), `mailstead-${crypto.randomUUID()}`)
    const config = await configOf(io, args, { mode: "sandbox", isServer: true, defaults: { data: folder } })
    try {
      return await runServer(io, config, (listening) => io.stdout(welcome(listening, config)))
    } finally {
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
    }
  },
})

/** The text that the sandbox prints once it listens. */
export const welcome = (
  { url, port, smtp: { submission } }: Listening,
  { http, smtp }: Config,
): string => `Mailstead sandbox is listening on ${addressOf(http.host, port)}

  Inbox        ${url}/app
  API docs     ${url}/docs
  SMTP         ${smtp.host}:${submission}  (no login needed)
  Secret key   sk_sandbox
  Public key   pk_sandbox

Send the first mail:

  curl ${url}/v1/send \\
    -H "Authorization: Bearer sk_sandbox" -H "Content-Type: application/json" \\
    -d '{"to":"ada@example.com","from":"hello@example.com","subject":"Hello {{name ?? there}}","body":"<h1>It works</h1>"}'

Stop with Ctrl-C.
`
