import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Outgoing } from "../../src/mail/transport.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { composeAll, domain } from "./spam-kinds.ts"

/**
 * What SpamAssassin says of the kinds of mail that we compose, by its rules about content alone (`-L`), as delivered to
 * somebody else's server. Filters refuse mail from 5 on. `SHOW_SCORES=1` prints the score of each.
 */
const highest = 2.5

interface Score {
  readonly score: number
  readonly rules: string
}

let it: TestApp
let scores: Map<string, Score>

/** A message as it reaches the inbox: the receiving server puts its trace in front. */
const received = (message: Outgoing): string =>
  [
    `Return-Path: <${message.envelope.from}>`,
    `Received: from mail.${domain} (mail.${domain} [93.184.216.34])`,
    "\tby mx.example.com (Postfix) with ESMTPS id 4Tn2x91zqLz1",
    `\tfor <${message.envelope.to}>; Sat, 31 Jan 2026 09:15:05 +0000`,
    Buffer.from(message.mime())
      .toString("latin1")
      .replaceAll("\r\n", "\n")
      .replace(/^(>*From )/gm, ">$1"),
  ].join("\n")

/** One run of the program for all messages: starting it takes longer than judging one. */
function judge(messages: ReadonlyMap<string, Outgoing>): Map<string, Score> {
  const program = Bun.which("spamassassin")
  if (program === null) throw new Error("spamassassin is missing: install the package spamassassin")
  const folder = mkdtempSync(join(tmpdir(), "mailstead-spam-"))
  try {
    const mbox = [...messages.values()].map((one) => `From x@y.test Sat Jan 31 09:15:05 2026\n${received(one)}\n`)
    writeFileSync(join(folder, "mbox"), mbox.join("\n"), "latin1")
    const { stdout, stderr } = Bun.spawnSync([program, "-L", "--mbox", join(folder, "mbox")], {
      env: { ...process.env, HOME: folder },
    })
    // The order of the answers is not that of the mails.
    const answers = stdout.toString("latin1").split(/^From x@y/m)
    const answerTo = ({ messageId }: Outgoing) => answers.find((one) => one.includes(`\nMessage-ID: <${messageId}>`))
    return new Map([...messages].map(([kind, message]) => [kind, scoreOf(answerTo(message) ?? `no answer: ${stderr}`)]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function scoreOf(answer: string): Score {
  const status = /^X-Spam-Status: (.*(?:\n[ \t].*)*)/m.exec(answer)?.[1]?.replace(/\s+/g, " ") ?? answer
  const [, score = "NaN"] = /score=(-?[\d.]+)/.exec(status) ?? []
  const [, rules = ""] = /tests=(.*?) autolearn/.exec(status) ?? []
  return { score: Number(score), rules: rules.replaceAll(" ", "") }
}

beforeAll(async () => {
  it = await startTestApp({
    settings: {
      "http.base_url": `https://mail.${domain}`,
      "system_mail.from": `Acme <post@${domain}>`,
    },
  })
  scores = judge(await composeAll(it))
}, 110_000)
afterAll(() => it.close())

describe("According to SpamAssassin", () => {
  test("forty kinds of mail are judged", () => {
    if (process.env.SHOW_SCORES) for (const [kind, { score, rules }] of scores) console.log(score, kind, rules)
    expect(scores.size).toBeGreaterThanOrEqual(40)
    for (const { score } of scores.values()) expect(score).not.toBeNaN()
  })

  test(`none scores above ${highest} but the one that is only a picture`, () => {
    const high = [...scores].filter(([kind, { score }]) => score > highest && kind !== "image only")
    expect(high).toEqual([])
  })
})
