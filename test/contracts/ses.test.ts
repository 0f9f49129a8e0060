import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Clock } from "../../src/kernel/clock.ts"
import { type Outgoing, sent, withheld } from "../../src/mail/transport.ts"
import type { ApiReply } from "../harness/api-server.ts"
import { createFakeClock, type FakeClock } from "../harness/fake-clock.ts"
import { awsKeys, type SesServer, sesError, startSes } from "../harness/ses-server.ts"
import { startSink } from "../harness/smtp-sink.ts"
import { type BuiltTransport, buildTransport, buildWith, refusalOf, stopBeforeAnswer } from "./build.ts"
import { messageTo } from "./messages.ts"

// Shapes and error types: "Amazon SES API v2 Reference" (SendEmail, GetAccount, CreateEmailIdentity, GetEmailIdentity,
// PutEmailIdentityMailFromAttributes) and, for words of errors, "Errors related to the sending quotas" and "Amazon SES
// email sending errors" of the Amazon SES Developer Guide.

const outbound = "/v2/email/outbound-emails"
const never = new AbortController().signal

let ses: SesServer
let clock: FakeClock
let built: BuiltTransport

beforeEach(async () => {
  ses = await startSes()
  clock = createFakeClock()
  built = await buildWith({ env: ses.env, clock }, "ses://eu-west-1?timeout=1")
})
afterEach(async () => {
  await built.transport.close()
  await ses.stop()
})

const send = (message: Outgoing = messageTo("accept@example.com")) => built.send(message)
const posts = () => ses.calls.filter(({ path }) => path === outbound).length

/** As `message`, with a count of how often its hand-over began. */
function begun(message: Outgoing) {
  const counted = { count: 0, message }
  counted.message = { ...message, begin: async () => void counted.count++ }
  return counted
}

test("a message carries its ids as tags, and the configuration set that the URL names", async () => {
  ses.configurationSets.set("mailstead", [])
  const own = await buildWith({ env: ses.env, clock }, "ses://eu-west-1?configuration_set=mailstead")
  const message = messageTo("accept@example.com")
  expect(await own.send(message)).toMatchObject({ outcome: "sent", providerId: expect.stringMatching(/^010201-1-/) })
  expect(ses.messages).toMatchObject([
    {
      configurationSet: "mailstead",
      tags: { "mailstead-email": message.id, "mailstead-project": message.projectId },
    },
  ])
  expect(ses.messages[0]?.raw.equals(message.mime())).toBe(true)
  await own.transport.close()
})

test("a stop waits a moment for the answer to what is handed over: it may be accepted", async () => {
  const answer = Promise.withResolvers<ApiReply>()
  ses.next(outbound, answer.promise)
  const receipts = await stopBeforeAnswer(built.transport, {
    isAsked: () => posts() === 1,
    answer: () => answer.resolve({ status: 200, body: { MessageId: "taken" } }),
  })
  expect(receipts).toEqual([sent("taken")])
})

describe("what SES refuses", () => {
  test.each([
    [429, "TooManyRequestsException", "Maximum sending rate exceeded.", "deferred", /at this rate/],
    [400, "ThrottlingException", "Daily message quota exceeded.", "deferred", /as much in 24 hours/],
    [400, "LimitExceededException", "Too many.", "deferred", /at this rate/],
    [400, "AccountSuspendedException", "Ended.", "unreachable", /ended this account's permission/],
    [400, "SendingPausedException", "Paused.", "unreachable", /paused for this SES account/],
    [400, "MailFromDomainNotVerifiedException", "No.", "deferred", /MAIL FROM domain is not verified/],
    [404, "NotFoundException", "Configuration set <x> does not exist.", "deferred", /mailstead ses setup/],
    [400, "MessageRejected", "Email address is not verified.", "deferred", /does not know the sender as verified/],
    [400, "MessageRejected", "Sending paused for this account. For more information, ...", "unreachable", /paused for/],
    [400, "MessageRejected", "Illegal content", "rejected", /Illegal content/],
    [400, "BadRequestException", "Missing final '@domain'", "rejected", /Missing final/],
    [403, "InvalidClientTokenId", "The security token is invalid.", "unreachable", /refuses the credentials/],
    [403, "AccessDeniedException", "Not authorized.", "unreachable", /refuses the credentials/],
    [413, "", "", "rejected", /larger than SES takes/],
    [418, "TeapotException", "Short.", "deferred", /TeapotException/],
    [500, "InternalFailure", "Oops.", "unknown", /failed with status 500/],
    [502, "", "", "unknown", /failed with status 502/],
    [503, "ServiceUnavailable", "Later.", "unreachable", /not available/],
  ])("is a receipt with a sentence: %p %s %s is %s", async (status, type, message, outcome, reason) => {
    ses.next(outbound, sesError(status, type, message))
    const receipt = await send()
    const isUnreachable = receipt.outcome === "deferred" && receipt.unreachable === true
    expect([isUnreachable ? "unreachable" : receipt.outcome, posts()]).toEqual([outcome, 1])
    if (receipt.outcome !== "sent") expect(receipt.reason).toMatch(reason)
  })

  test.each([
    ["the page of a proxy", "<title>Welcome</title>"],
    ["no id", {}],
    ["an id that is none", { MessageId: 7 }],
  ])("is not known when it answers 200 with %s", async (_, body) => {
    ses.next(outbound, { status: 200, body })
    const reason = "SES's answer does not tell of the message."
    expect(await send()).toEqual({ outcome: "unknown", reason })
  })

  test("names the configuration set that is missing, and the command that makes it", async () => {
    const own = await buildWith({ env: ses.env, clock }, "ses://eu-west-1?configuration_set=mailstead")
    expect(await own.send(messageTo("accept@example.com"))).toMatchObject({
      outcome: "deferred",
      reason: expect.stringMatching(/"mailstead ses setup".*<mailstead> does not exist/),
    })
    await own.transport.close()
  })

  test("says of an account in the sandbox of SES what it may do", async () => {
    ses.account = { ...ses.account, ProductionAccessEnabled: false }
    ses.next(outbound, sesError(400, "MessageRejected", "Email address is not verified: ada@example.com"))
    expect(await send()).toMatchObject({ outcome: "deferred", reason: expect.stringMatching(/in the sandbox.*ada@/) })
  })

  test("never tells the credentials, whatever the answer repeats", async () => {
    const words = `signature ${awsKeys.AWS_SECRET_ACCESS_KEY} of ${awsKeys.AWS_ACCESS_KEY_ID} does not match`
    ses.next(outbound, sesError(403, "SignatureDoesNotMatch", words))
    const told = JSON.stringify(await send()) + built.logged()
    for (const secret of Object.values(awsKeys)) expect(told).not.toContain(secret)
  })
})

test("no second mail is handed over to what answers every request with a page, as a proxy may", async () => {
  const page = { status: 200, body: "<title>Welcome</title>" }
  ses.next(outbound, page)
  expect(await send()).toMatchObject({ outcome: "unknown" })
  ses.next("/v2/email/account", page)
  expect(await send()).toMatchObject({ outcome: "deferred", unreachable: true })
  expect(posts()).toBe(1)
  expect(await send()).toMatchObject({ outcome: "sent" })
})

test("an id that is longer than any of a provider is not kept with the mail", async () => {
  ses.next(outbound, { status: 200, body: { MessageId: "x".repeat(1_000) } })
  expect(await send()).toEqual({ outcome: "sent", providerId: "x".repeat(1_000) })
  ses.next(outbound, { status: 200, body: { MessageId: "x".repeat(1_001) } })
  expect(await send()).toEqual({ outcome: "sent", providerId: null })
})

describe("the quota and the rate of the account", () => {
  test("are read before anything is handed over, once a minute", async () => {
    await send()
    await send()
    const paths = () => ses.calls.map(({ path }) => path)
    expect(paths()).toEqual(["/v2/email/account", outbound, outbound])
    await clock.advance(60_000)
    await send()
    expect(paths().slice(3)).toEqual(["/v2/email/account", outbound])
  })

  test("are asked for again a second later, when the first message finds SES busy with requests about domains", async () => {
    ses.next("/v2/email/account", sesError(429, "TooManyRequestsException", "Rate exceeded"))
    const slept: number[] = []
    const own: Clock = {
      now: () => clock.now(),
      sleep: async (ms, abort) => (ms < 30_000 ? void slept.push(ms) : clock.sleep(ms, abort)),
    }
    const patient = await buildWith({ env: ses.env, clock: own }, "ses://eu-west-1")
    expect((await patient.send(messageTo("accept@example.com"))).outcome).toBe("sent")
    expect(slept).toEqual([1_000])
    await patient.transport.close()
  })

  test("end the sending when the quota is spent, and messages wait an hour", async () => {
    ses.account = { ...ses.account, SendQuota: { Max24HourSend: 200, MaxSendRate: 100, SentLast24Hours: 199 } }
    expect((await send()).outcome).toBe("sent")
    const last = begun(messageTo("accept@example.com"))
    expect(await send(last.message)).toMatchObject({ outcome: "deferred", retryAt: clock.now() + 3_600_000 })
    expect([posts(), last.count]).toEqual([1, 0])
  })

  test("are also obeyed when SES says that the quota is spent before its figures do", async () => {
    ses.next(outbound, sesError(400, "ThrottlingException", "Daily message quota exceeded."))
    await send()
    expect(await send()).toMatchObject({ outcome: "deferred", retryAt: expect.any(Number) })
    expect(posts()).toBe(1)
    await clock.advance(3_600_000)
    expect((await send()).outcome).toBe("sent")
  })

  test("space the messages by the rate", async () => {
    ses.account = { ...ses.account, SendQuota: { Max24HourSend: -1, MaxSendRate: 2, SentLast24Hours: 0 } }
    const slept: number[] = []
    const own: Clock = {
      now: () => clock.now(),
      // The longest is the time limit for getting ready.
      sleep: async (ms, abort) => (ms < 30_000 ? void slept.push(ms) : clock.sleep(ms, abort)),
    }
    const paced = await buildWith({ env: ses.env, clock: own }, "ses://eu-west-1")
    const receipts = await Promise.all(Array.from({ length: 3 }, () => paced.send(messageTo("accept@example.com"))))
    expect(receipts.map(({ outcome }) => outcome)).toEqual(["sent", "sent", "sent"])
    expect(slept).toEqual([500, 1_000])
    await paced.transport.close()
  })

  test("space them also when more wait than go in a minute, and when the clock is set back meanwhile", async () => {
    ses.account = { ...ses.account, SendQuota: { Max24HourSend: -1, MaxSendRate: 1, SentLast24Hours: 0 } }
    const slept: number[] = []
    let back = 0
    let isReady = false
    const own: Clock = {
      now: () => clock.now() - back,
      sleep: async (ms, abort) => (isReady ? void slept.push(ms) : clock.sleep(ms, abort)),
    }
    const paced = await buildWith({ env: ses.env, clock: own }, "ses://eu-west-1?pool=100")
    isReady = true
    const sendMany = (count: number) =>
      Promise.all(Array.from({ length: count }, () => paced.send(messageTo("accept@example.com"))))
    await sendMany(70)
    back = 10_000
    await sendMany(2)
    expect(slept).toEqual(Array.from({ length: 71 }, (_, at) => (at + 1) * 1_000))
    await paced.transport.close()
  })

  test("do not matter to credentials that may not read them", async () => {
    for (let time = 0; time < 2; time++) {
      ses.next("/v2/email/account", sesError(403, "AccessDeniedException", "not authorized to perform: ses:GetAccount"))
      expect((await send()).outcome).toBe("sent")
      await clock.advance(60_000)
    }
    expect(built.logged().match(/the credentials lack ses:GetAccount/g)).toHaveLength(1)
  })

  test.each([
    ["its owner", { SendingEnabled: false }],
    ["AWS", { EnforcementStatus: "SHUTDOWN" }],
  ])("of an account that %s has paused leave the message to the next transport", async (_, account) => {
    ses.account = { ...ses.account, ...account }
    const paused = begun(messageTo("accept@example.com"))
    expect(await send(paused.message)).toMatchObject({ unreachable: true, reason: expect.stringContaining("paused") })
    const sink = await startSink()
    const chain = await buildWith({ env: ses.env, clock }, "ses://eu-west-1", `smtp://127.0.0.1:${sink.port}`)
    expect((await chain.send(messageTo("accept@example.com"))).outcome).toBe("sent")
    expect([sink.messages.length, posts(), paused.count]).toEqual([1, 0, 0])
    await chain.transport.close()
    await sink.stop()
  })
})

describe("an outcome that nobody knows", () => {
  test("is a message that was handed over, and not answered in time", async () => {
    expect(await send(messageTo("ignore@example.com"))).toMatchObject({
      outcome: "unknown",
      reason: expect.stringContaining("no answer in time"),
    })
  })

  test("is a message whose answer is lost; it is not posted a second time", async () => {
    await send()
    expect((await send(messageTo("lose@example.com"))).outcome).toBe("unknown")
    expect(posts()).toBe(2)
  })

  test("makes the next message ask first, so that a dead SES costs no message", async () => {
    await send(messageTo("lose@example.com"))
    await ses.stop()
    const next = begun(messageTo("accept@example.com"))
    expect(await send(next.message)).toMatchObject({ outcome: "deferred", unreachable: true })
    expect(next.count).toBe(0)
    await ses.start()
  })
})

test("a message that may not begin is deferred and not posted", async () => {
  const message = {
    ...messageTo("accept@example.com"),
    begin: () => Promise.reject(new Error("The message is not to be handed over any more.")),
  }
  expect(await send(message)).toEqual(withheld("The message is not to be handed over any more."))
  expect(posts()).toBe(0)
})

describe("the transport URL", () => {
  test.each([
    ["ses://eu-west-1", {}, /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set/],
    ["ses://eu-west-1", { AWS_ACCESS_KEY_ID: "x" }, /: AWS_SECRET_ACCESS_KEY must be set/],
    ["ses://nowhere", awsKeys, /"nowhere" is no AWS region/],
    ["ses://eu-west-1?set=x", awsKeys, /there is no option "set"/],
    ["ses://eu-west-1?pool=0", awsKeys, /pool is a whole number/],
    ["ses://eu-west-1", { ...awsKeys, AWS_ENDPOINT_URL: "http://evil.test" }, /AWS_ENDPOINT_URL is an https: URL/],
  ])("is refused with one clear line: %s", async (url, env, expected) => {
    const message = await buildWith({ env }, url).then(String, refusalOf)
    expect(message).toMatch(expected)
    expect(message).not.toContain("\n")
  })

  test("is accepted without the other side being up", async () => {
    const { transport } = await buildWith({ env: awsKeys }, "ses://eu-west-1")
    expect(transport.name).toBe("ses://eu-west-1")
    await transport.close()
    expect(buildTransport("ses://eu-west-1")).rejects.toThrow("AWS_ACCESS_KEY_ID")
  })
})

describe("a sender domain (contract B6.1)", () => {
  const mark = "0199c0de-0000-7000-8000-000000000008"
  const identity = () => {
    const found = built.members[0]?.identity
    if (!found) throw new Error("there is no identity")
    return found
  }

  test("is registered with three CNAMEs, one per token, and a MAIL FROM domain of its own", async () => {
    const { status, dkimTokens, records } = await identity().register("shop.test", never, mark)
    expect([status, dkimTokens.length]).toEqual(["PENDING", 3])
    expect((await identity().read("shop.test", never))?.mark).toBe(mark)
    expect(records).toEqual([
      ...dkimTokens.map((token) => ({
        purpose: "DKIM" as const,
        type: "CNAME" as const,
        name: `${token}._domainkey.shop.test`,
        value: `${token}.dkim.amazonses.com`,
        required: true,
        status: "PENDING" as const,
      })),
      {
        purpose: "SPF",
        type: "TXT",
        name: "ses-bounce.shop.test",
        value: "v=spf1 include:amazonses.com ~all",
        required: false,
        status: "PENDING",
      },
      {
        purpose: "RETURN_PATH",
        type: "MX",
        name: "ses-bounce.shop.test",
        value: "feedback-smtp.eu-west-1.amazonses.com",
        priority: 10,
        required: false,
        status: "PENDING",
      },
    ])
    expect(await identity().register("shop.test", never, mark)).toEqual(
      (await identity().read("shop.test", never)) as never,
    )
    expect(ses.calls.filter(({ method }) => method === "PUT").length).toBe(1)
  })

  test("is read back as SES sees it, with the zone that SES names", async () => {
    await identity().register("shop.test", never, mark)
    const stored = ses.identities.get("shop.test")
    Object.assign(stored ?? {}, { VerifiedForSendingStatus: true })
    Object.assign(stored?.DkimAttributes ?? {}, {
      Status: "SUCCESS",
      SigningHostedZone: "dkim.af-south-1.amazonses.com.",
    })
    Object.assign(stored?.MailFromAttributes ?? {}, { MailFromDomainStatus: "FAILED" })
    const found = await identity().read("shop.test", never)
    expect([found?.status, found?.records.map(({ status }) => status)]).toEqual([
      "VERIFIED",
      ["VERIFIED", "VERIFIED", "VERIFIED", "FAILED", "FAILED"],
    ])
    expect(found?.records[0]?.value).toBe(`${found?.dkimTokens[0]}.dkim.af-south-1.amazonses.com`)
    expect(await identity().read("other.test", never)).toBeUndefined()
  })

  test("is removed when it was registered here, and left alone when it was there before", async () => {
    await identity().register("shop.test", never, mark)
    ses.identities.set("older.test", { VerifiedForSendingStatus: true, DkimAttributes: {}, Tags: [] })
    expect((await identity().register("older.test", never, mark)).mark).toBeNull()
    for (const domain of ["shop.test", "older.test", "never.test"]) await identity().remove(domain, never)
    expect([...ses.identities.keys()]).toEqual(["older.test"])
  })

  test("keeps its state when SES cannot be asked: that is an error, and nothing secret is in it", async () => {
    ses.next("/v2/email/identities/shop.test", sesError(403, "AccessDeniedException", awsKeys.AWS_SECRET_ACCESS_KEY))
    const message = await identity()
      .read("shop.test", never)
      .then(String, (cause: Error) => cause.message)
    expect(message).toBe("SES refuses: AccessDeniedException ***")
    await ses.stop()
    expect(identity().read("shop.test", never)).rejects.toThrow("SES cannot be reached")
    await ses.start()
  })
})

test("it is asked whether it lets us in without a message", async () => {
  const [member] = built.members
  await member?.verify?.(never)
  await ses.stop()
  await expect(member?.verify?.(never)).rejects.toThrow(/SES cannot be reached/)
  expect(posts()).toBe(0)
})
