import { describe, expect, test } from "bun:test"
import { ConfigError, loadConfig, publicUrl, redactUrl, type SettingPath } from "../../src/config.ts"

const given = (path: SettingPath, value: string) => loadConfig({ options: { [path]: value } }).config
const refusal = (path: SettingPath, value: string): string => {
  try {
    given(path, value)
  } catch (cause) {
    if (cause instanceof ConfigError) return cause.message
  }
  return "accepted"
}

describe("addresses", () => {
  test.each([
    ["https://mail.example.com", "https://mail.example.com"],
    ["https://mail.example.com/", "https://mail.example.com"],
    ["http://localhost:8080/mail//", "http://localhost:8080/mail"],
    [" HTTPS://Mail.Example.com ", "https://mail.example.com"],
  ])("http.base_url %j becomes %j", (value, expected) => {
    expect(given("http.base_url", value).http.baseUrl).toBe(expected)
  })

  test.each([
    "mail.example.com",
    "ftp://x.example",
    "https://u:p@x.example",
    "https://x.example/?a",
    "https://x.example/#",
    "https://",
  ])("http.base_url %j is refused", (value) => {
    expect(refusal("http.base_url", value)).toContain("http.base_url: expected an http:// or https:// address")
  })

  test.each([
    ["http.base_url", "https://user:pass@word@mail.example.com", '"https://…@mail.example.com"'],
    ["otel.endpoint", "https://user:password@collector.example.com/?a", '"https://…@collector.example.com/?a"'],
    ["backup.url", "s3://AKIA:pass/word@bucket/folder", '"s3://…@bucket/folder"'],
  ] as const)("%s %j is refused without telling the password", (path, value, shown) => {
    expect(refusal(path, value)).toEndWith(`, got ${shown} (command line)`)
  })

  test.each([
    ["backup.folder", "s3://bucket/backups"],
    ["data", "file:///var/lib/mailstead"],
  ] as const)("%s %j is no folder", (path, value) => {
    expect(refusal(path, value)).toContain(`${path}: expected the path of a folder`)
  })

  test.each([
    "*",
    "null",
    "app.example.com",
    "https://a.example.com/path",
    "https://a.example.com,ftp://b.example.com",
  ])("http.cors_origins %j is refused", (value) => {
    expect(refusal("http.cors_origins", value)).toContain("http.cors_origins: expected an origin")
  })

  test.each(["0.0.0.0", "::", "localhost", "mail-1.example.com", "fe80::1"])("http.host %j is accepted", (value) => {
    expect(given("http.host", value).http.host).toBe(value)
  })

  test.each(["[::1]", "300.1.1.1", "a b", "127.0.0.1:80", "http://x", "-x"])("http.host %j is refused", (value) => {
    expect(refusal("http.host", value)).toContain("http.host: expected an IP address or a host name")
  })

  test.each(["-1", "65536", "3.5", "0x50", "1e3", "port", "Infinity"])("http.port %j is refused", (value) => {
    expect(refusal("http.port", value)).toContain("http.port: expected a port number from 0 to 65535")
  })

  test.each(["9.9.9.9:0", "9.9.9.9:70000", "dns.example.com", "[9.9.9.9", "2620:fe::9:x"])(
    "dns.servers %j is refused",
    (value) => {
      expect(refusal("dns.servers", value)).toContain("dns.servers: expected the IP address of a DNS server")
    },
  )

  test("webhooks.allow takes addresses, ranges and names", () => {
    const value = "10.0.0.0/8 fd00::/8 127.0.0.1 ::1 Hooks.internal"
    expect(given("webhooks.allow", value).webhooks.allow).toEqual([
      "10.0.0.0/8",
      "fd00::/8",
      "127.0.0.1",
      "::1",
      "hooks.internal",
    ])
  })

  test.each(["10.0.0.0/33", "fd00::/129", "10.0.0.0/", "name/8", "https://x.example"])(
    "webhooks.allow %j is refused",
    (value) => {
      expect(refusal("webhooks.allow", value)).toContain("webhooks.allow: expected an IP address, a range")
    },
  )

  test.each([
    ["News@Example.com", { name: "", address: "news@example.com" }],
    ["Mailstead News <news@example.com>", { name: "Mailstead News", address: "news@example.com" }],
    ['"Mailstead" <news@example.com>', { name: "Mailstead", address: "news@example.com" }],
  ])("system_mail.from %j is read", (value, expected) => {
    expect(given("system_mail.from", value).systemMail.from).toEqual(expected)
  })

  test.each(["news", "News <news>", "a@b.example c@d.example", "A\r\nBcc: x@y.example <a@b.example>"])(
    "system_mail.from %j is refused",
    (value) => {
      expect(refusal("system_mail.from", value)).toContain("system_mail.from: expected an email address")
    },
  )
})

test.each([
  ["5 3 * *", "of five fields"],
  ["60 3 * * *", "whose minute (field 1) is made of 0 to 59"],
  ["0 3 0 * *", "whose day of the month (field 3) is made of 1 to 31"],
  ["0 3 * * xyz", "whose day of the week (field 5) is made of 0 to 7"],
  ["0 0 31 2 *", "of a day that exists"],
])("backup.schedule %j is refused with what is wrong with it", (value, expected) => {
  expect(refusal("backup.schedule", value)).toContain(`backup.schedule: expected a cron line ${expected}, got "`)
})

test.each([
  ["ses.topics", "foo", "expected the ARN of an SNS topic such as"],
  ["ses.region", "x y", "expected a region of AWS such as eu-west-1"],
] as const)("%s %j is refused", (path, value, message) => {
  expect(refusal(path, value)).toContain(`${path}: ${message}`)
})

describe("numbers and booleans in text", () => {
  test.each([
    ["False", false],
    ["TRUE", true],
    [" true ", true],
  ])("accounts.signups %j is accepted", (text, value) => {
    expect(given("accounts.signups", text).accounts.signups).toBe(value)
  })

  test.each(["0", "no", "off", "constructor"])("accounts.signups %j is refused", (value) => {
    expect(refusal("accounts.signups", value)).toContain("accounts.signups: expected true or false, got ")
  })

  test.each(["5e-5", "5.0E-05", "0.00005"])("retention.content_days %j is accepted (contract B9.7)", (value) => {
    const { retention } = given("retention.content_days", value)
    expect(retention).toEqual(given("retention.content_days", "0.00005").retention)
  })

  test.each(["e5", "5e", "1e999", "0x5", "-1e-5"])("retention.content_days %j is refused", (value) => {
    expect(refusal("retention.content_days", value)).toContain("retention.content_days: expected a number, at least 0")
  })
})

test("a list that is something else is told what its items are", () => {
  const refused = () => loadConfig({ file: { name: "a.toml", text: "mail.url = 5" } })
  expect(refused).toThrow("mail.url: expected a transport URL such as smtp://user:password@host:587, got 5 (a.toml)")
})

test("the public address is the configured one, else the one listened on, with loopback for every address", () => {
  const http = given("http.base_url", "https://mail.example.com/").http
  expect(publicUrl(http, 3000)).toBe("https://mail.example.com")
  expect(publicUrl({ ...http, baseUrl: null }, 3000)).toBe("http://127.0.0.1:3000")
  expect(publicUrl({ ...http, baseUrl: null, host: "0.0.0.0" }, 80)).toBe("http://127.0.0.1:80")
  expect(publicUrl({ ...http, baseUrl: null, host: "::" }, 80)).toBe("http://[::1]:80")
})

describe("transport URLs", () => {
  test.each([
    "smtp://smtp.example.com",
    "smtp://user%40example.com:p%2Fw@smtp.example.com:587?tls=required&pool=4",
    "smtps://user:pass@[::1]:465",
    "ses://eu-west-1",
    "postmark://00000000-0000-0000-0000-000000000000",
    "capture:",
    "plugin:/opt/mailstead/chat.ts?room=7",
  ])("%j is accepted unchanged", (url) => {
    expect(given("mail.url", url).mail.url).toEqual([url])
  })

  test.each([
    ["stmp://smtp.example.com", "begins with smtp:, smtps:, ses:, postmark:, capture:, plugin:; did you mean smtp:?"],
    ["mailto:a@b.example", "expected a transport URL that begins with"],
    ["smtp.example.com", "expected a transport URL that begins with"],
    ["smtp:", "expected smtp://user:password@host:port"],
    ["smtp://u:p/w@smtp.example.com", "in user and password write / ? # @ % as %2F"],
    ["smtp://u:1?w@smtp.example.com", "in user and password write / ? # @ % as %2F"],
    ["smtp://u:1#w@smtp.example.com", "in user and password write / ? # @ % as %2F"],
    ["smtp://host:99999", 'expected a port from 1 to 65535 behind the host, got "smtp:…"'],
    ["smtp://user:password@host:port/", "expected a port from 1 to 65535 behind the host"],
    ["smtp://[::1", "expected a smtp: URL that can be read"],
    ["ses:", "expected ses://REGION"],
    ["ses://eu_west", "expected ses://REGION, for example ses://eu-west-1"],
    ["postmark:", "expected postmark://TOKEN"],
    ["plugin:chat.ts", "expected plugin:/absolute/path/of/file.ts"],
    ["plugin://chat.ts", "expected plugin:/absolute/path/of/file.ts"],
    ["capture://elsewhere", "expected capture: and nothing after it"],
  ])("%j is refused", (url, message) => {
    expect(refusal("mail.url", url)).toContain(message)
  })

  test.each([
    ["smtp://user:hunter2@smtp.example.com:587?pool=3", "smtp://smtp.example.com:587"],
    ["smtp://user:hunter/2@smtp.example.com", "smtp:…"],
    ["postmark://hunter2", "postmark:…"],
    ["plugin:/opt/chat.ts?key=hunter2", "plugin:/opt/chat.ts"],
    ["ses://eu-west-1?profile=x", "ses://eu-west-1"],
    ["capture:", "capture:"],
    ["hunter2", "…"],
  ])("%j is shown as %j", (url, expected) => {
    expect(redactUrl(url)).toBe(expected)
  })
})

test.each([
  ["mail.url", "stmp://user:hunter2@smtp.example.com"],
  ["mail.url", "smtp://user:hunter2/3@smtp.example.com"],
  ["mail.url", "smtp://user:1?hunter2@smtp.example.com"],
  ["mail.url", "hunter2"],
  ["mail.url", "capture: postmark:hunter2"],
  ["metrics.token", "hunter2\u0000"],
  ["postmark.token", "\u0007hunter2"],
] as const)("a fault in %s does not show the secret in %j", (path, value) => {
  const message = refusal(path, value)
  expect(message).toContain(`${path}: expected`)
  expect(message).not.toContain("hunter2")
})

test("a fault in the file does not show secrets either", () => {
  const text = '[metrics]\ntoken = ["hunter2"]\n[mail]\nurl = [["hunter2"]]\n[transports.a]\nurl = { x = "hunter2" }'
  try {
    loadConfig({ file: { name: "mailstead.toml", text } })
    expect.unreachable()
  } catch (cause) {
    expect(cause).toBeInstanceOf(ConfigError)
    expect(String(cause)).toContain("3 faults")
    expect(String(cause)).not.toContain("hunter2")
  }
})
