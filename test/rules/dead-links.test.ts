import { expect, test } from "bun:test"
import { warnOfDeadLinks, warnOfOpenMetrics, warnOfPath } from "../../src/commands/exposure.ts"
import { loadConfig } from "../../src/config.ts"
import { capturedLanes } from "../../src/mail/transports.ts"

test.each([
  ["", "", ["transactional", "bulk"]],
  ['url = "capture:"', "", ["transactional", "bulk"]],
  ['url = "smtp://relay.test"', "", []],
  ['bulk = "relay"', "smtp://relay.test", ["transactional"]],
  ['transactional = "relay"\nbulk = "relay"', "smtp://relay.test", []],
  ['url = "smtp://a.test"\nbulk = "relay"', "capture:", ["bulk"]],
])("with %j, and the transport relay at %j, this mail stays here: %j", (mail, relay, captured) => {
  const text = `[mail]\n${mail}\n${relay === "" ? "" : `[transports.relay]\nurl = ${JSON.stringify(relay)}\n`}`
  const { config } = loadConfig({ mode: "serve", file: { name: "a.toml", text } })
  expect(capturedLanes(config)).toEqual(captured as never)
  const printed: string[] = []
  warnOfDeadLinks({ warn: (said) => printed.push(said) }, config, "http://127.0.0.1:3000")
  expect(printed).toHaveLength(captured.length === 2 ? 0 : 1)
})

test.each([
  ["http://127.0.0.1:3000", "which only this machine reaches"],
  ["http://localhost:3000", "which only this machine reaches"],
  ["https://[::1]", "which only this machine reaches"],
  ["http://mail.example.com", "without encryption"],
  ["https://mail.example.com", undefined],
])("a server whose mail leaves with links to %s warns as it should", (url, warning) => {
  const said = (mailUrl: string) => {
    const printed: string[] = []
    const { config } = loadConfig({ mode: "serve", options: { "mail.url": mailUrl } })
    warnOfDeadLinks({ warn: (text) => printed.push(text) }, config, url)
    return printed.join("")
  }
  expect([said(""), said("capture:")]).toEqual(["", ""])
  if (warning === undefined) expect(said("smtp://127.0.0.1:25")).toBe("")
  else
    expect(said("smtp://127.0.0.1:25")).toContain(
      `links in mail lead to ${url}${warning.startsWith("which") ? "," : ""} ${warning}: set http.base_url`,
    )
})

test.each([
  ["127.0.0.1", "http://127.0.0.1:3000", null, false],
  ["::1", "http://[::1]:3000", null, false],
  ["0.0.0.0", "http://127.0.0.1:3000", null, true],
  ["127.0.0.1", "https://mail.example.com", null, true],
  ["0.0.0.0", "https://mail.example.com", "a token", false],
])("a server on %s at %s with the metrics token %p warns of open metrics: %p", (host, url, token, warns) => {
  const printed: string[] = []
  const options = { "http.host": host, ...(token === null ? {} : { "metrics.token": token }) }
  const { config } = loadConfig({ mode: "serve", options })
  warnOfOpenMetrics({ warn: (text) => printed.push(text) }, config, url)
  expect(printed.join("")).toBe(
    warns ? `whoever reaches ${url}/metrics may read the figures of this server: set metrics.token` : "",
  )
})

test.each([
  ["https://mail.example.com", ""],
  ["https://mail.example.com:8443/", ""],
  ["https://example.com/mail", "not under https://example.com/mail: set http.base_url"],
])("a server at %s warns as it should of a dashboard that does not work there", (url, warning) => {
  const printed: string[] = []
  warnOfPath({ warn: (text) => printed.push(text) }, url)
  expect(printed).toEqual(warning === "" ? [] : [expect.stringContaining(warning)])
})
