import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { type Browser, newBrowser, password, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { readDocument } from "../harness/openapi.ts"

let it: TestApp
beforeEach(async () => {
  it = await startTestApp({ settings: { "http.trusted_proxies": "127.0.0.1" } })
  await signUp(it, "owner@acme.test")
})
afterEach(() => it.close())

const from = (address: string) => ({ "X-Forwarded-For": address })
const login = async (email: string, given: string, headers = {}, browser: Browser = newBrowser(it)) =>
  (await browser.api("POST /auth/login", { body: { email, password: given }, headers })).status

/** The statuses of failed sign-ins with as many addresses. */
async function fail(count: number, headers = {}, name = "guess"): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count; at++) statuses.push(await login(`${name}${at}@example.com`, "wrong password", headers))
  return statuses
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

describe("Failed sign-ins of a client", () => {
  test("go on counting after a sign-in to an account of its own (contract B8.2.15)", async () => {
    expect(await fail(60)).toEqual(times(60, 401))
    expect(await login("owner@acme.test", password)).toBe(200)
    expect(await fail(41, {}, "other")).toEqual([...times(40, 401), 429])
    expect(await login("owner@acme.test", password)).toBe(429)
    await it.advance({ minutes: 15 })
    expect(await login("owner@acme.test", password)).toBe(200)
  })

  test("are those alone: signing in counts nothing (contract B8.2.15)", async () => {
    for (let time = 0; time < 101; time++) expect(await login("owner@acme.test", password)).toBe(200)
    expect(await fail(100)).toEqual(times(100, 401))
  })

  test("are those of its IPv6 network (contract B8.2.15)", async () => {
    const sixty = async (last: number) => fail(60, from(`2001:db8:0:1::${last}`), `n${last}x`)
    expect(await sixty(1)).toEqual(times(60, 401))
    expect(await sixty(2)).toEqual([...times(40, 401), ...times(20, 429)])
    expect(await fail(1, from("2001:db8:0:2::1"))).toEqual([401])
  })

  test("do not lock out a device on which the account was signed in, which has its own limit (contract B8.1.4)", async () => {
    const known = await signIn(it, "owner@acme.test")
    expect((await fail(101)).at(-1)).toBe(429)
    expect(await login("owner@acme.test", password)).toBe(429)
    expect(await login("owner@acme.test", password, {}, known)).toBe(200)
    const statuses: number[] = []
    for (let time = 0; time < 11; time++) statuses.push(await login("owner@acme.test", "wrong password", {}, known))
    expect(statuses).toEqual([...times(10, 401), 429])
    const given = await known.api("POST /auth/reauthenticate", { body: { password } })
    expect(given.status).toBe(429)
  })

  test("count on devices that have only seen an earlier password (contract B8.1.4)", async () => {
    const [earlier, present] = [await signIn(it, "owner@acme.test"), await signIn(it, "owner@acme.test")]
    const newPassword = "another fine staple"
    const changed = await present.api("POST /auth/change-password", {
      body: { currentPassword: password, newPassword },
    })
    expect(changed.status).toBe(200)
    const statuses: number[] = []
    for (let time = 0; time < 10; time++) statuses.push(await login("owner@acme.test", "wrong password"))
    expect(statuses).toEqual(times(10, 401))
    expect(await login("owner@acme.test", "wrong password", {}, earlier)).toBe(429)
    expect(await login("owner@acme.test", newPassword, {}, present)).toBe(200)
  })

  test("do not lock out a device on which a new password was set by a link (contract B8.1.4)", async () => {
    const browser = newBrowser(it)
    await browser.api("POST /auth/request-password-reset", { body: { email: "owner@acme.test" } })
    await it.settle()
    const [, token] = /\/app\/reset\?token=([\w-]+)/.exec(JSON.stringify(it.complaints)) ?? []
    const newPassword = "another fine staple"
    expect((await browser.api("POST /auth/reset-password", { body: { token, newPassword } })).status).toBe(200)
    await fail(101)
    expect(await login("owner@acme.test", newPassword)).toBe(429)
    expect(await login("owner@acme.test", newPassword, {}, browser)).toBe(200)
  })
})

test("New accounts are counted for the IPv6 network of their client (contract B8.2.15)", async () => {
  const signUps = async (last: number) => {
    const headers = from(`2001:db8:0:1::${last}`)
    const body = { email: `new${last}@example.com`, password }
    return (await newBrowser(it).api("POST /auth/signup", { body, headers })).status
  }
  for (let last = 1; last <= 30; last++) expect(await signUps(last)).toBe(201)
  expect(await signUps(31)).toBe(429)
})

test("Requests of a new password are counted for the IPv6 network of their client (contract B8.2.15)", async () => {
  await it.settle()
  const before = it.complaints.length
  const ask = (email: string, last: number) =>
    newBrowser(it).api("POST /auth/request-password-reset", { body: { email }, headers: from(`2001:db8:0:1::${last}`) })
  for (let last = 1; last <= 30; last++) await ask(`nobody${last}@example.com`, last)
  expect((await ask("owner@acme.test", 31)).status).toBe(200)
  await it.settle()
  expect(it.complaints.length).toBe(before)
})

test("Adding members tells of 30 addresses an hour that they are unknown (contract B8.3.11)", async () => {
  const browser = await signUp(it, "ada@example.com")
  const { id } = (await browser.api("POST /users/@me/projects", { body: { name: "Probe" } })).body
  const document = readDocument((await it.api("GET /openapi.json", { key: "none" })).body)
  const add = async (email: string) => {
    const answer = await browser.api(`POST /projects/${id}/members`, { body: { email } })
    expect(document.faultsOfAnswer(document.operation("POST /projects/{id}/members"), answer)).toEqual([])
    return answer.status
  }
  const statuses: number[] = []
  for (let at = 0; at < 31; at++) statuses.push(await add(`nobody${at}@example.com`))
  expect(statuses).toEqual([...times(30, 404), 429])
  expect(await add("owner@acme.test")).toBe(201)
  await it.advance({ hours: 1 })
  expect(await add("nobody@example.com")).toBe(404)
})

describe("Giving the right password in a session", () => {
  const wish = (browser: Browser, email: string) =>
    browser.api("POST /auth/change-email", { body: { email, password } }).then(({ status }) => status)

  test("is no failed sign-in when what it was given for is refused (contract B8.2.11)", async () => {
    const browser = await signUp(it, "ada@example.com")
    const statuses: number[] = []
    for (let time = 0; time < 11; time++) statuses.push(await wish(browser, "owner@acme.test"))
    expect(statuses).toEqual(times(11, 409))
    expect(await login("ada@example.com", password)).toBe(200)
    expect(await login("ada@example.com", password, {}, browser)).toBe(200)
  })

  test("tells of 30 addresses an hour whether they are taken (contract B8.2.11)", async () => {
    const browser = await signUp(it, "ada@example.com")
    const statuses: number[] = []
    for (let time = 0; time < 31; time++) statuses.push(await wish(browser, "owner@acme.test"))
    expect(statuses).toEqual([...times(30, 409), 429])
    await it.advance({ hours: 1 })
    expect(await wish(browser, "new@example.com")).toBe(200)
  })
})
