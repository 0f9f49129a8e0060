import { expect, test } from "bun:test"
import { createLinks, pageKinds } from "../../src/mail/links.ts"
import { createSecret } from "../../src/store/secret.ts"

const contactId = "0199c0de-0000-7000-8000-00000000000a"
const emailId = "0199c0de-ffff-7000-8000-0123456789ab"
const link = "00112233445566778899aabbccddeeff"
const base = "https://mail.example.com"
const links = createLinks(() => base, createSecret(Buffer.alloc(32, 1)))
const tokenOf = (url: string): string => (url.split("/").at(-1) ?? "").replace(/\.gif$/, "")

test("only the server can read the message from the address of its image", () => {
  const url = links.open(emailId)
  expect(url).toMatch(/^https:\/\/mail\.example\.com\/t\/o\/[A-Za-z0-9_-]{43}\.gif$/)
  expect(links.readOpen(tokenOf(url))).toBe(emailId)
  expect(links.open(emailId)).toBe(url)
})

test("the server reads message and link from the address of a tracked link", () => {
  const url = links.click(emailId, link)
  expect(url).toMatch(/^https:\/\/mail\.example\.com\/t\/c\/[A-Za-z0-9_-]{64}$/)
  expect(links.readClick(tokenOf(url))).toEqual({ emailId, link })
})

test("no token serves another kind of address", () => {
  const tokens = {
    open: tokenOf(links.open(emailId)),
    click: tokenOf(links.click(emailId, contactId.replaceAll("-", ""))),
    ...Object.fromEntries(pageKinds.map((kind) => [kind, tokenOf(links.page(kind, contactId, emailId))])),
  }
  const readers: Record<string, (token: string) => unknown> = {
    open: links.readOpen,
    click: links.readClick,
    ...Object.fromEntries(pageKinds.map((kind) => [kind, (token: string) => links.readPage(kind, token)])),
  }
  for (const [made, token] of Object.entries(tokens))
    for (const [asked, read] of Object.entries(readers))
      expect([made, asked, read(token) !== undefined]).toEqual([made, asked, made === asked])
})

test("a token with one changed character is rejected", () => {
  for (const [token, read] of [
    [tokenOf(links.open(emailId)), links.readOpen],
    [tokenOf(links.click(emailId, link)), links.readClick],
  ] as const)
    for (let at = 0; at < token.length; at++) {
      const bent = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`
      expect([at, read(bent)]).toEqual([at, undefined])
    }
})

test.each(["", "x", "%00", "A".repeat(43), "A".repeat(64), "A".repeat(10_000)])("%# is no token", (text) => {
  expect(links.readOpen(text)).toBeUndefined()
  expect(links.readClick(text)).toBeUndefined()
})

test("hosted pages are recognised by their address, wherever it is", () => {
  for (const kind of pageKinds) expect(links.isPage(links.page(kind, contactId, emailId))).toBe(true)
  for (const other of [
    `${base}/`,
    `${base}/shop`,
    `${base}/unsubscribed/x`,
    "https://a.test/unsubscribe/x",
    `${base}.evil.test/manage/x`,
  ])
    expect([other, links.isPage(other)]).toEqual([other, false])
})
