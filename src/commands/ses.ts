import { sesSetup as setUp } from "../app.ts"
import { sesRegion } from "../config.ts"
import { systemClock } from "../kernel/clock.ts"
import { answer } from "./answer.ts"
import { defineCommand, type Io, UsageError } from "./args.ts"
import { configOf } from "./settings.ts"

const words = { made: "made", changed: "changed", kept: "was there" } as const

export const sesSetup = defineCommand({
  name: "ses setup",
  summary: "Make Amazon SES send its reports to this server",
  about:
    "Creates a configuration set, an SNS topic for its events, and the subscription of this server. It keeps what exists, so it can be run again. Credentials are those of the AWS environment.",
  options: {
    "topic-url": { value: "URL", help: "The public address of /webhooks/sns of this server", required: true },
    region: { value: "REGION", help: "The region (default: that of the ses:// transport, ses.region, AWS_REGION)" },
    name: { value: "NAME", help: "The name of the configuration set and the topic (default mailstead)" },
  },
  async run(io, args) {
    const config = await configOf(io, args)
    const topicUrl = webhookOf(args.options["topic-url"])
    const name = args.options.name ?? "mailstead"
    if (!/^[\w-]{1,64}$/.test(name)) throw new UsageError("--name is made of letters, digits, _ and -")
    const region = args.options.region ?? sesRegion(config) ?? environmentRegion(io)
    if (region === undefined) throw new UsageError("the region is not known; name it with --region REGION")
    const result = await setUp({ region, topicUrl, name }, { env: (key) => io.env[key], clock: systemClock })
    const lines = [
      ...result.steps.map(({ done, what }) => `${words[done].padEnd(9)}  ${what}`),
      "",
      "In the configuration:",
      `  mail.url = "ses://${region}?configuration_set=${name}"`,
      `  ses.topics = ["${result.topicArn}"]`,
      ...(result.subscription === "pending"
        ? ["", "The subscription waits for the server: start it with this configuration, then run this again."]
        : []),
    ]
    answer(io, args, result, lines.join("\n"))
    return 0
  },
})

function webhookOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === "https:" || url.protocol === "http:") && url.username === "") return url.href
  throw new UsageError("--topic-url is an http or https URL, such as https://mail.example.com/webhooks/sns")
}

const environmentRegion = ({ env }: Io): string | undefined => env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim()
