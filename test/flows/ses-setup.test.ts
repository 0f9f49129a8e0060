import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { setUpSes } from "../../plugins/ses/setup.ts"
import { run } from "../../src/commands/index.ts"
import { awsKeys, type SesServer, sesError, startSes } from "../harness/ses-server.ts"

// Actions and shapes: "Amazon SES API v2 Reference" (CreateConfigurationSet, *ConfigurationSetEventDestination*), "Amazon
// SNS API Reference" (CreateTopic, GetTopicAttributes, SetTopicAttributes, Subscribe, ListSubscriptionsByTopic).

let ses: SesServer
beforeEach(async () => {
  ses = await startSes()
})
afterEach(() => ses.stop())

const url = "https://mail.example.com/webhooks/sns"
const arn = "arn:aws:sns:eu-west-1:123456789012:mailstead"

async function setUp(args: string[] = [], env: Record<string, string> = { AWS_REGION: "eu-west-1" }) {
  const printed = { stdout: [] as string[], stderr: [] as string[] }
  const io = {
    env: { ...ses.env, ...env },
    stdout: (text: string) => void printed.stdout.push(text),
    stderr: (text: string) => void printed.stderr.push(text),
    stdin: async () => "",
    stop: new AbortController().signal,
  }
  const code = await run(["ses", "setup", "--topic-url", url, ...args], io)
  return { code, stdout: printed.stdout.join(""), stderr: printed.stderr.join("") }
}

const changes = () =>
  ses.calls.filter(({ method, body }) =>
    method === "POST" && body.startsWith("{") ? true : method === "PUT" || /Action=(?:Set|Subscribe)/.test(body),
  ).length

describe("`mailstead ses setup` (contract A8.1)", () => {
  test("makes the configuration set, the topic, what leads from one to the other, and the subscription", async () => {
    const { code, stdout } = await setUp(["--json"])
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        region: "eu-west-1",
        configurationSet: "mailstead",
        topicArn: arn,
        subscription: "pending",
        steps: [
          { what: "configuration set mailstead", done: "made" },
          { what: `SNS topic ${arn}`, done: "made" },
          { what: "permission for SES to publish to it", done: "made" },
          { what: "messages of the topic signed with SHA-256", done: "made" },
          { what: "event destination mailstead: delivery, bounce, complaint to the topic", done: "made" },
          { what: `subscription of ${url}`, done: "made" },
        ],
      },
    ])
    expect(ses.configurationSets.get("mailstead")).toEqual([
      {
        Name: "mailstead",
        Enabled: true,
        MatchingEventTypes: ["DELIVERY", "BOUNCE", "COMPLAINT"],
        SnsDestination: { TopicArn: arn },
      },
    ])
    expect(ses.topics.get(arn)?.SignatureVersion).toBe("2")
    expect(JSON.parse(ses.topics.get(arn)?.Policy ?? "").Statement).toMatchObject([
      {
        Principal: { Service: "ses.amazonaws.com" },
        Action: "SNS:Publish",
        Resource: arn,
        Condition: {
          StringEquals: {
            "AWS:SourceAccount": "123456789012",
            "AWS:SourceArn": "arn:aws:ses:eu-west-1:123456789012:configuration-set/mailstead",
          },
        },
      },
    ])
    expect(ses.subscriptions).toEqual([{ endpoint: url, arn: "PendingConfirmation", topic: arn, protocol: "https" }])
  })

  test("tells what to write into the configuration, and what is still to come", async () => {
    const { stdout } = await setUp()
    expect(stdout).toContain('mail.url = "ses://eu-west-1?configuration_set=mailstead"')
    expect(stdout).toContain(`ses.topics = ["${arn}"]`)
    expect(stdout).toContain("waits for the server")
  })

  test("changes nothing when it is run again after the server has confirmed", async () => {
    await setUp()
    for (const one of ses.subscriptions) one.arn = `${arn}:6f1a`
    const policy = ses.topics.get(arn)?.Policy
    const { stdout } = await setUp(["--json"])
    const { subscription, steps } = JSON.parse(stdout)
    expect([subscription, new Set(steps.map(({ done }: { done: string }) => done))]).toEqual([
      "confirmed",
      new Set(["kept"]),
    ])
    expect([ses.topics.get(arn)?.Policy, ses.subscriptions.length]).toEqual([policy as string, 1])
  })

  test("asks for the confirmation again while the subscription waits for it", async () => {
    await setUp()
    const before = changes()
    expect(JSON.parse((await setUp(["--json"])).stdout).subscription).toBe("pending")
    // The configuration set is asked for by making it.
    expect([changes() - before, ses.subscriptions.length]).toEqual([2, 1])
  })

  test("goes on with SES that answers one request a second", async () => {
    let now = Date.parse("2026-01-31T09:15:00.000Z")
    const clock = {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms
      },
    }
    ses.rateClock = clock.now
    const setup = { region: "eu-west-1", topicUrl: url, name: "mailstead" }
    const { steps } = await setUpSes(setup, { env: (name) => ses.env[name], clock })
    expect([steps.length, ses.tooMany > 0]).toEqual([6, true])
    ses.rateClock = () => 0
    await expect(setUpSes(setup, { env: (name) => ses.env[name], clock })).rejects.toThrow("Rate exceeded")
  })

  test("leaves the statements of others in the policy, and mends its own", async () => {
    const foreign = { Sid: "theirs", Effect: "Allow", Principal: "*", Action: "SNS:GetTopicAttributes", Resource: arn }
    ses.topics.set(arn, { Policy: JSON.stringify({ Statement: [foreign, { Sid: "mailstead-ses", Effect: "Deny" }] }) })
    const { stdout } = await setUp(["--json"])
    expect(JSON.parse(stdout).steps[2].done).toBe("changed")
    const { Statement } = JSON.parse(ses.topics.get(arn)?.Policy ?? "")
    expect(Statement).toMatchObject([foreign, { Sid: "mailstead-ses", Effect: "Allow" }])
  })

  test("mends an event destination that leads elsewhere", async () => {
    const other = {
      Name: "mailstead",
      Enabled: true,
      MatchingEventTypes: ["BOUNCE"],
      SnsDestination: { TopicArn: "x" },
    }
    ses.configurationSets.set("mailstead", [other])
    expect(JSON.parse((await setUp(["--json"])).stdout).steps[4].done).toBe("changed")
    expect(ses.configurationSets.get("mailstead")).toMatchObject([{ SnsDestination: { TopicArn: arn } }])
  })

  test.each([
    [["--region", "eu-north-1"], {}, "eu-north-1"],
    [[], { MAILSTEAD_MAIL_URL: "smtp://a.test ses://us-west-2?pool=3" }, "us-west-2"],
    [[], { MAILSTEAD_SES_REGION: "ap-south-1" }, "ap-south-1"],
    [[], { AWS_DEFAULT_REGION: "sa-east-1" }, "sa-east-1"],
  ])("finds the region: %p %p", async (args, env, region) => {
    expect(JSON.parse((await setUp(["--json", ...args], env)).stdout).region).toBe(region)
  })

  test.each([
    [[], {}, 2, /the region is not known/],
    [["--region", "mars"], {}, 1, /"mars" is no AWS region/],
    [["--name", "a b"], { AWS_REGION: "eu-west-1" }, 2, /--name is made of/],
    [[], { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "" }, 1, /AWS_ACCESS_KEY_ID must be set/],
    [
      [],
      { AWS_REGION: "eu-west-1", AWS_SECRET_ACCESS_KEY: "wrong" },
      1,
      /configuration set mailstead: SES answers Sig/,
    ],
  ])("says in one line what is wrong: %p %p", async (args, env, code, expected) => {
    const ran = await setUp(args, env as Record<string, string>)
    expect([ran.code, ran.stdout]).toEqual([code, ""])
    expect(ran.stderr).toMatch(expected)
    for (const secret of Object.values(awsKeys)) expect(ran.stderr).not.toContain(secret)
  })

  test("stops at the step that fails, and names it", async () => {
    ses.next("/v2/email/configuration-sets", sesError(400, "LimitExceededException", "Too many sets."))
    expect((await setUp()).stderr).toContain(
      "configuration set mailstead: SES answers LimitExceededException: Too many",
    )
    expect(ses.topics.size).toBe(0)
    // The error of a proxy has no type.
    const notOfSes = { status: 503, body: "<h1>Service Unavailable</h1>" }
    ses.next("/v2/email/configuration-sets/mailstead/event-destinations", notOfSes)
    const { code, stderr } = await setUp()
    expect([code, stderr]).toEqual([1, expect.stringContaining("event destination mailstead: SES answers 503")])
    expect(ses.subscriptions).toEqual([])
  })
})
