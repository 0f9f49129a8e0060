import type { Listening } from "../app.ts"
import { addressOf, type Config } from "../config.ts"
import type { Log } from "../kernel/log.ts"
import { capturedLanes } from "../mail/transports.ts"
import type { SendingPause } from "../store/sending-pause.ts"
import { certificateStatus } from "../tls/status.ts"
import { defineCommand } from "./args.ts"
import { warnOfDeadLinks, warnOfOpenMetrics, warnOfPath } from "./exposure.ts"
import { runServer } from "./running.ts"
import { configOf } from "./settings.ts"

export const serve = defineCommand({
  name: "serve",
  summary: "Run the server",
  about:
    "With names it listens on the ports 80 and 443 too, and obtains a certificate for them: mailstead serve mail.example.com",
  rest: { name: "DOMAIN", setting: "http.domains" },
  options: {
    host: { value: "HOST", help: "Address to listen on (default 127.0.0.1)", setting: "http.host" },
    port: { value: "PORT", help: "Port to listen on, 0 picks one (default 3000)", setting: "http.port" },
    sandbox: { help: "Run as a mail sandbox on this data folder: capture all mail, listen for SMTP on 1025" },
  },
  async run(io, args) {
    const config = await configOf(io, args, { mode: args.options.sandbox ? "sandbox" : "serve", isServer: true })
    return runServer(io, config, async ({ url, port, publicPorts, smtp }, { accounts, backups }, log) => {
      if (config.mode === "serve") warnOfDeadLinks(log, config, url)
      warnOfPath(log, url)
      warnOfOpenMetrics(log, config, url)
      const address = addressOf(config.http.host, port)
      const lines = [
        `Mailstead is listening on ${address}`,
        ...(url === address ? [] : [`Public address: ${url}`]),
        ...publicLines(config, publicPorts),
        ...smtpLines(config, smtp),
        ...(config.mode === "sandbox"
          ? ["All mail is captured; the sandbox's own keys are sk_sandbox and pk_sandbox."]
          : captureLines(config)),
        ...pauseLines(backups.sendingPause()),
      ]
      const link = await accounts.setupLink()
      if (config.log.format === "json") return tellPrograms(log, lines, link !== undefined)
      if (link !== undefined) lines.push("", "Make the first account within 60 minutes:", `  ${link}`, "")
      io.stdout(`${lines.join("\n")}\n`)
    })
  },
})

/** Who pauses sending by hand, or an update, which does so until its outcome is known, has no backup. */
function pauseLines(pause: SendingPause | undefined): string[] {
  if (pause === undefined) return []
  return pause.takenAt === undefined
    ? ["Sending is paused until the update that is under way is complete, or until mailstead resume."]
    : ["Sending is paused, because this data was restored from a backup: mailstead resume ends that."]
}

/**
 * The record that is logged once the server listens. It does not contain the link for the first account, which gives
 * access to the whole server.
 */
function tellPrograms(log: Log, lines: readonly string[], lacksAccount: boolean): void {
  for (const line of lines) log.info(line)
  if (lacksAccount) log.info("There is no account yet: mailstead setup-link prints the link that makes the first one.")
}

/** The mail that is captured instead of sent. */
function captureLines(config: Pick<Config, "mail" | "transports">): string[] {
  const lanes = capturedLanes(config)
  if (lanes.length === 0) return []
  if (lanes.length === 1)
    return lanes[0] === "bulk"
      ? ["No transport is set for campaigns: they are accepted and captured."]
      : ["A transport is set for campaigns alone: all other mail is accepted and captured."]
  const why = config.mail.url.length === 0 ? "No mail.url is set: mail" : "Mail"
  return [`${why} is accepted and captured, none leaves this machine.`]
}

function publicLines({ data, http }: Config, ports: Listening["publicPorts"]): string[] {
  if (ports === undefined) return []
  const listening = `https on port ${ports.tls}, http on port ${ports.plain} is redirected`
  const status = certificateStatus({ data, http })
  return status?.expiresAt === undefined ? [listening, "The certificate is being obtained."] : [listening]
}

/** The SMTP ports and their uses. */
function smtpLines({ smtp }: Pick<Config, "smtp">, { submission, secure, inbound }: Listening["smtp"]): string[] {
  const at = (port: number | null, what: string) => (port === null ? [] : [`${what} on ${smtp.host}:${port}`])
  return [...at(submission, "SMTP"), ...at(secure, "SMTP with TLS"), ...at(inbound, "Incoming mail")]
}
