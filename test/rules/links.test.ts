import { expect, test } from "bun:test"
import { createLinks, pageKinds } from "../../src/mail/links.ts"
import { createSecret } from "../../src/store/secret.ts"

const contactId = "0199c0de-0000-7000-8000-00000000000a"
const emailId = "0199c0de-ffff-7000-8000-0123456789ab"
const links = createLinks(() => "https://mail.example.com", createSecret(Buffer.alloc(32, 1)))
const tokenOf = (url: string): string => url.split("/").at(-1) ?? ""

test.each(pageKinds)("the %s page of a recipient has a URL that identifies the recipient only to us", (kind) => {
  const url = links.page(kind, contactId, emailId)
  expect(url).toStartWith(`https://mail.example.com/${kind}/`)
  const token = tokenOf(url)
  expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/)
  expect(links.readPage(kind, token)).toEqual({ contactId, emailId })
  expect(links.page(kind, contactId, emailId)).toBe(url)
})

test("a token is valid only for its page", () => {
  for (const made of pageKinds)
    for (const asked of pageKinds)
      expect(links.readPage(asked, tokenOf(links.page(made, contactId, emailId))) === undefined).toBe(made !== asked)
})

test("a token with one changed character is invalid", () => {
  const token = tokenOf(links.page("manage", contactId, emailId))
  for (let at = 0; at < token.length; at++) {
    const bent = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`
    expect([at, links.readPage("manage", bent)]).toEqual([at, undefined])
  }
})

test.each(["", "x", "%00", "../..", "A".repeat(64), "A".repeat(10_000), "é".repeat(64)])("%j is no token", (text) => {
  expect(links.readPage("unsubscribe", text)).toBeUndefined()
})

test("no other spelling of a token is accepted", () => {
  const token = tokenOf(links.page("unsubscribe", contactId, emailId))
  for (const spelling of [` ${token}`, `${token} `, `${token}=`, `${token}A`, token.slice(0, -1), `${token}\n`])
    expect(links.readPage("unsubscribe", spelling)).toBeUndefined()
})

test("tokens of another instance are invalid", () => {
  const other = createLinks(() => "https://mail.example.com", createSecret(Buffer.alloc(32, 2)))
  expect(links.readPage("manage", tokenOf(other.page("manage", contactId, emailId)))).toBeUndefined()
})

test("the address follows the base URL, which may be known only later", () => {
  let base = "http://127.0.0.1:1"
  const moving = createLinks(() => base, createSecret(Buffer.alloc(32, 1)))
  base = "https://example.com/mail"
  expect(moving.page("subscribe", contactId, emailId)).toStartWith("https://example.com/mail/subscribe/")
})
