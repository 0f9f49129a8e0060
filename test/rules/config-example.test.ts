import { describe, expect, test } from "bun:test"
import file from "../../config/mailstead.example.toml" with { type: "text" }
import { exampleFile, loadConfig, type Settings, settingPaths, settings, transportSettings } from "../../src/config.ts"

const example = exampleFile()
const uncommented = example.replaceAll(/^#(?! |$)/gm, "")

describe("the example configuration", () => {
  test("is the file that the table of settings gives (bun src/main.ts help config > config/mailstead.example.toml)", () => {
    expect(String(file)).toBe(example)
  })

  test("has every setting once, at its default or with an example, and no other", () => {
    const shown = new Map<string, unknown>()
    const take = (prefix: string, values: object) => {
      for (const [name, value] of Object.entries(values)) {
        if (value !== null && typeof value === "object" && !Array.isArray(value)) take(`${prefix}${name}.`, value)
        else shown.set(prefix + name, value)
      }
    }
    take("", Bun.TOML.parse(uncommented))
    const names = Object.keys(transportSettings).map((name) => `transports.relay.${name}`)
    expect([...shown.keys()].sort()).toEqual([...settingPaths, ...names, "transports.newsletter.url"].sort())
    for (const path of settingPaths) {
      const { fallback, example: expected } = settings[path] as { fallback: object; example?: unknown }
      expect([path, shown.get(path)]).toEqual([
        path,
        "value" in fallback && fallback.value !== null ? fallback.value : expected,
      ])
    }
  })

  test("documents every setting, on lines of 120 characters at most", () => {
    const all = Object.entries({ ...settings, ...transportSettings })
    expect(all.filter(([, { doc }]) => !/^\W*[A-Z0-9a-z].{10,}/.test(doc)).map(([path]) => path)).toEqual([])
    expect(example.split("\n").filter((line) => line.length > 120)).toEqual([])
  })

  test("changes nothing as it is", () => {
    expect(loadConfig({ file: { name: "example", text: example } })).toEqual(loadConfig({}))
  })

  test("is a valid configuration with every line uncommented", () => {
    const { config } = loadConfig({ file: { name: "example", text: uncommented } })
    expect(config.mail.bulk).toBe("newsletter")
    expect(config.transports.relay).toEqual({ url: ["smtp://user:password@smtp.example.com:587"], maxPerSecond: 50 })
    expect(config.smtp.tlsKey).toBe("/etc/mailstead/tls/privkey.pem")
  })
})

describe("the properties of Config", () => {
  const load = (options: Settings) => loadConfig({ options }).config

  test("are the names of the settings in camel case", () => {
    const config = load({ "http.base_url": "https://a.example", "system_mail.from": "A <a@b.example>" })
    expect([config.http.baseUrl, config.systemMail.from?.address]).toEqual(["https://a.example", "a@b.example"])
    expect(Object.keys(config.http).slice(0, 4)).toEqual(["host", "port", "baseUrl", "domains"])
  })

  test("count in milliseconds and bytes, for any unit of the setting", () => {
    const config = load({
      "limits.idempotency_hours": "0.5",
      "limits.attachment_mb": "1.5",
      "retention.content_days": "2",
      "domains.check_seconds": "1.5",
      "webhooks.retry_seconds": "1 2",
      "limits.emails_per_second": "2.5",
    })
    expect(config.limits).toMatchObject({ idempotencyMs: 1_800_000, attachmentBytes: 1_572_864, emailsPerSecond: 2.5 })
    expect([config.retention.contentMs, config.domains.checkMs]).toEqual([172_800_000, 1_500])
    expect(config.webhooks.retryMs).toEqual([1_000, 2_000])
  })
})
