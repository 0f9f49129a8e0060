import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ThreadRules } from "../../src/mail/transports/threaded.ts"
import { addressOf, composed, postmarkToken, startPostmark } from "../harness/postmark-server.ts"
import { awsKeys, startSes } from "../harness/ses-server.ts"
import { type SinkRule, type SmtpSink, startSink } from "../harness/smtp-sink.ts"
import { buildTransport, buildWith } from "./build.ts"
import { type Arrived, type Handling, transportContract } from "./transport.ts"

const login = { user: "relay-user@shop.test", password: "s3cret/pass word" }
const userinfo = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`
const loginSecrets = [login.password, encodeURIComponent(login.password), login.user, btoa(login.password)]

const chosen =
  (handling: Handling, step: Exclude<SinkRule, (about: string) => unknown>): SinkRule =>
  (about) =>
    about.includes(`${handling}@`) || about.includes(`${handling}+`) ? step : undefined

async function fatefulSink(): Promise<SmtpSink> {
  const sink = await startSink({ login })
  const rcpt = [chosen("defer", "450 4.2.0 not now"), chosen("reject", "550 5.1.1 nobody"), chosen("ignore", "hang")]
  sink.always("rcpt", (about) => rcpt.map((rule) => (typeof rule === "function" ? rule(about) : rule)).find(Boolean))
  sink.always("dot", chosen("lose", "close"))
  return sink
}

const arrivedAt = (sinks: readonly SmtpSink[]): Arrived[] =>
  sinks.flatMap(({ messages }) => messages).map(({ from, to, raw }) => ({ from, to: to.join(), raw }))

const smtpBench = (options: string, threads?: ThreadRules) => async () => {
  const sink = await fatefulSink()
  const { transport, logged } = await buildWith(
    threads ? { threads } : {},
    `smtp://${userinfo}@127.0.0.1:${sink.port}?pool=4&connect_timeout=2&timeout=5${options}`,
  )
  return {
    transport,
    logged,
    secrets: loginSecrets,
    arrived: async () => arrivedAt([sink]),
    silence: () => sink.reached("rcpt"),
    cut: () => sink.stop(),
    mend: () => sink.start(),
    stop: () => sink.stop(),
  }
}

const smtpAbilities = ["accept", "defer", "reject", "lose", "ignore", "cut", "mime", "envelope"] as const
transportContract("smtp", smtpAbilities, smtpBench(""))
transportContract("smtp by nodemailer", smtpAbilities, smtpBench("&client=nodemailer"))
transportContract("smtp on a thread", smtpAbilities, smtpBench("", { leastCalls: 0, idleMs: 60_000 }))

transportContract(
  "failover of smtp, the first server down",
  ["accept", "defer", "reject", "lose", "ignore", "mime", "envelope"],
  async () => {
    const [down, up] = [await startSink(), await fatefulSink()]
    await down.stop()
    const urls = [down, up].map(({ port }) => `smtp://${userinfo}@127.0.0.1:${port}?pool=4&connect_timeout=2&timeout=5`)
    const { transport, logged } = await buildTransport(...urls)
    return {
      transport,
      logged,
      secrets: loginSecrets,
      arrived: async () => arrivedAt([up]),
      silence: () => up.reached("rcpt"),
      cut: () => up.stop(),
      mend: () => up.start(),
      stop: () => up.stop(),
    }
  },
)

transportContract("ses", ["accept", "defer", "reject", "lose", "ignore", "cut", "mime"], async () => {
  const ses = await startSes()
  const { transport, logged } = await buildWith({ env: ses.env }, "ses://eu-west-1?pool=4&timeout=5")
  return {
    transport,
    logged,
    secrets: Object.values(awsKeys),
    arrived: async () => ses.messages.map(({ to, bouncesTo, raw }) => ({ from: bouncesTo, to, raw })),
    silence: () => ses.hung(),
    cut: () => ses.stop(),
    mend: () => ses.start(),
    stop: () => ses.stop(),
  }
})

transportContract("postmark", ["accept", "defer", "reject", "lose", "ignore", "cut"], async () => {
  const postmark = await startPostmark()
  const { transport, logged } = await buildTransport(postmark.transportUrl("timeout=5"))
  return {
    transport,
    logged,
    secrets: [postmarkToken],
    arrived: () =>
      Promise.all(
        postmark.messages.map(async (fields) => ({
          from: addressOf(fields.From),
          to: addressOf(fields.To),
          raw: await composed(fields),
        })),
      ),
    silence: () => postmark.hung(),
    cut: () => postmark.stop(),
    mend: () => postmark.start(),
    stop: () => postmark.stop(),
  }
})

transportContract("capture", ["accept", "defer", "mime", "envelope"], async () => {
  const { transport, logged, captured } = await buildTransport("capture:")
  return {
    transport,
    logged,
    secrets: [],
    arrived: async () => captured.map((message) => ({ ...message.envelope, raw: message.mime() })),
    stop: async () => {},
  }
})

transportContract(
  "a plugin file of an operator",
  ["accept", "defer", "reject", "lose", "ignore", "mime", "envelope"],
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "mailstead-folder-"))
    const query = new URLSearchParams({ directory, token: "tok-12345" })
    const { transport, logged } = await buildTransport(`plugin:${join(import.meta.dir, "sample-plugin.ts")}?${query}`)
    return {
      transport,
      logged,
      secrets: ["tok-12345"],
      arrived: async () => {
        const text = await readFile(join(directory, "messages"), "utf8").catch(() => "")
        return text
          .split("\n")
          .filter(Boolean)
          .map((line) => {
            const { from, to, raw } = JSON.parse(line) as { from: string; to: string; raw: string }
            return { from, to, raw: Buffer.from(raw, "base64") }
          })
      },
      stop: () => rm(directory, { recursive: true }),
    }
  },
)
