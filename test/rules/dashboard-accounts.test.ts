import { describe, expect, test } from "bun:test"
import type { Project } from "../../src/dashboard/api/instance.ts"
import { byRecency } from "../../src/dashboard/context/recent-projects.ts"
import { createUserCommand } from "../../src/dashboard/pages/settings/create-user.ts"
import { deviceOf } from "../../src/dashboard/parts/account/device.ts"
import { sentenceOf } from "../../src/dashboard/parts/audit/sentences.ts"

test("projects are in the order of their last use; those never used here come last, in their given order", () => {
  const projects = ["a", "b", "c", "d"].map((id) => ({ id }) as Project)
  expect(byRecency(projects, ["c", "gone", "a"]).map(({ id }) => id)).toEqual(["c", "a", "b", "d"])
})

describe("a session's device", () => {
  const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0"
  test.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, "Chrome on Windows", false],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/130.0.0.0`, "Edge on Windows", false],
    [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome} Mobile Safari/537.36`, "Chrome on Android", true],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:131.0) Gecko/20100101 Firefox/131.0", "Firefox on macOS", false],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
      true,
    ],
    ["curl/8.9.1", "curl/8.9.1", false],
    ["", "Unknown", false],
  ])("of %j", (userAgent, name, isMobile) => {
    expect(deviceOf(userAgent)).toEqual({ name, isMobile })
  })
})

test.each([
  ["ada.lovelace+shop@acme.test", "mailstead user create ada.lovelace+shop@acme.test"],
  ["o'brien@acme.test", String.raw`mailstead user create 'o'\''brien@acme.test'`],
  ["r&d@acme.test", "mailstead user create 'r&d@acme.test'"],
])("the command that makes an account for %s is one that a shell understands", (email, command) => {
  expect(createUserCommand(email)).toBe(command)
})

describe("an entry of the audit", () => {
  test.each([
    [
      "member.role_changed",
      { email: "grace@acme.test", role: "ADMIN", before: "MEMBER" },
      "Made grace@acme.test admin",
    ],
    [
      "project.changed",
      { name: "Acme", tracking: "DISABLED" },
      "Changed the settings: the name is now “Acme”, tracking is now off",
    ],
    ["project.changed", { name: "DISABLED" }, "Changed the settings: the name is now “DISABLED”"],
    [
      "project.changed",
      { tracking: "MARKETING_ONLY", language: "de" },
      "Changed the settings: tracking is now on for marketing mail only, the language is now de",
    ],
    ["project.changed", { postalAddress: "null" }, "Changed the settings: the postal address is now “null”"],
    ["project.changed", { postalAddress: null }, "Changed the settings: the postal address is now empty"],
    ["account.created", { first: true }, "Made the first account of this server"],
    ["account.sign_in_failed", { email: "ada@acme.test", failures: 10 }, "Failed 10 times to sign in as ada@acme.test"],
    ["account.sign_in_failed", { failures: 100 }, "Failed 100 times to sign in"],
    ["domain.added", { domain: "acme.test" }, "Added the domain acme.test"],
    ["domain.deleted", { domain: "acme.test" }, "Deleted the domain acme.test"],
    ["field.deleted", { field: "plan" }, "Deleted the field plan of all contacts"],
    ["events.deleted", { event: "signup" }, "Deleted all events named signup"],
    ["contacts.deleted", { contacts: 1 }, "Deleted a contact"],
    ["contacts.deleted", { contacts: 12 }, "Deleted 12 contacts"],
    ["contacts.deleted", { filter: {}, excluded: 0 }, "Deleted all contacts"],
    [
      "contacts.deleted",
      { filter: { search: "@acme", subscribed: false }, excluded: 2 },
      "Deleted all unsubscribed contacts with “@acme” but 2",
    ],
    ["thing.not_known_yet", {}, "Thing not known yet"],
  ])("%s is a sentence", (action, details, sentence) => {
    expect(sentenceOf({ action, details })).toBe(sentence)
  })
})
