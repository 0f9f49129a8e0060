import { expect, test } from "bun:test"
import { warnOfDeadLinks } from "../../src/commands/exposure.ts"
import { loadConfig } from "../../src/config.ts"

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
    warnOfDeadLinks({ stderr: (text) => printed.push(text) }, config, url)
    return printed.join("")
  }
  expect(said("")).toBe("")
  if (warning === undefined) expect(said("smtp://127.0.0.1:25")).toBe("")
  else
    expect(said("smtp://127.0.0.1:25")).toContain(
      `links in mail lead to ${url}${warning.startsWith("which") ? "," : ""} ${warning}: set http.base_url`,
    )
})
