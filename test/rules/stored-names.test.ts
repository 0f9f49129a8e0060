import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"

/**
 * Names that rows carry: a job that waits, the log of signals, the cursor of a subscriber. A renamed one loses its
 * rows, so each is listed here. Jobs are `noun.verb`, signals `noun.past`, subscribers `module.purpose`.
 */
const jobs = [
  "alert.notify",
  "attachment.sweep",
  "backup.take",
  "bulk.run",
  "bulk.sweep",
  "campaign.begin",
  "campaign.cancel",
  "campaign.reconcile",
  "campaign.walk",
  "contact.index",
  "domain.check",
  "domain.release",
  "email.index",
  "event.drop",
  "field.drop",
  "import.run",
  "import.sweep",
  "inbox.index",
  "instance.sweep",
  "project.erase",
  "report.sweep",
  "reputation.check",
  "retention.sweep",
  "segment.compute",
  "segment.compute-project",
  "segment.purge",
  "workflow.move",
  "workflow.purge",
]
const signals = [
  "account.issued",
  "contact.changed",
  "contact.removed",
  "content.stored",
  "email.changed",
  "email.ended",
  "email.hit",
  "email.promoted",
  "email.received",
  "email.released",
  "email.reported",
  "email.sent",
  "event.recorded",
  "execution.ended",
  "password.requested",
  "project.disabled",
  "step.started",
]

const subscribers = [
  "accounts.resets",
  "campaigns.finish",
  "emails.disabled",
  "emails.hits",
  "inbox.promoted",
  "inbox.released",
  "inbox.text",
  "notices.disabled",
  "notices.links",
  "reputation.returns",
  "sandbox.simulator",
  "segments.membership",
  "workflows.disabled",
  "workflows.events",
]

const src = resolve(import.meta.dir, "../../src")
const sources = [...new Bun.Glob("{modules,http}/**/*.ts").scanSync({ cwd: src })].map((path) =>
  readFileSync(resolve(src, path), "utf8"),
)

/** The first text that each call of these functions is given. */
const named = (pattern: RegExp): string[] =>
  [...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name ?? "")))].sort()

function expectListed(found: readonly string[], listed: readonly string[]): void {
  const added = found.filter((name) => !listed.includes(name))
  const missing = listed.filter((name) => !found.includes(name))
  expect([
    ...added.map((name) => `${name} is new: add it to the list in test/rules/stored-names.test.ts`),
    ...missing.map((name) => `${name} is gone: rows that carry it would be lost, so keep the name`),
  ]).toEqual([])
}

test("the jobs are these", () => {
  expectListed(named(/(?:defineJob|campaignJob|defineTrackedJob|defineSweepJob)\(\s*"([^"]+)"/g), jobs)
  for (const name of jobs) expect(name).toMatch(/^[a-z]+\.[a-z]+(-[a-z]+)*$/)
})

test("the signals are these", () => {
  expectListed(named(/defineSignal(?:<[^(]*>)?\(\s*"([^"]+)"/g), signals)
  for (const name of signals) expect(name).toMatch(/^[a-z]+\.([a-z]+ed|sent|hit)$/)
})

test("the subscribers are these", () => {
  const written = named(/name: "([^"]+)",\s+(?:\/\/[^\n]*\s+)*(?:on|concerns|atOnce)\b/g)
  const constants = named(/const \w+Subscriber = "([^"]+)"/g)
  expectListed([...written, ...constants], subscribers)
  for (const name of subscribers) expect(name).toMatch(/^[a-z]+\.[a-z]+(-[a-z]+)*$/)
})

test("no name is used twice", () => {
  for (const list of [[...jobs, ...signals], subscribers]) expect(new Set(list).size).toBe(list.length)
})
