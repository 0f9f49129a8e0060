import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Config, ConfigError, type ConfigSources, loadConfig, settingPaths, variableOf } from "../../src/config.ts"

const toml = (text: string) => ({ name: "mailstead.toml", text })
const load = (sources: ConfigSources): Config => loadConfig(sources).config

/** The faults of sources that must not load, as `path: message` lines. */
function faultsOf(sources: ConfigSources): string[] {
  try {
    loadConfig(sources)
  } catch (cause) {
    if (cause instanceof ConfigError) return cause.faults.map((fault) => `${fault.path}: ${fault.message}`)
    throw cause
  }
  throw new Error("the configuration was accepted")
}

describe("the defaults", () => {
  test("are those of the contract", () => {
    const config = load({})
    expect(config.data).toBe("./data")
    expect(config.http).toEqual({
      host: "127.0.0.1",
      port: 3000,
      baseUrl: null,
      domains: null,
      tlsHost: "::",
      tlsPort: 443,
      plainPort: 80,
      tlsCert: null,
      tlsKey: null,
      acmeDirectory: "https://acme-v02.api.letsencrypt.org/directory",
      acmeEmail: null,
      acmeCa: null,
      trustedProxies: [],
      corsOrigins: [],
    })
    expect(config.limits).toEqual({
      requestsPerMinute: 1000,
      publicRequestsPerMinute: 0,
      idempotencyMs: 24 * 3_600_000,
      attachments: 10,
      attachmentBytes: 10 * 1_048_576,
      uploadsBytes: 1000 * 1_048_576,
      conditionMs: 10_000,
      emailsPerSecond: 100,
    })
    expect(config.mail).toEqual({ url: [], transactional: null, bulk: null })
    expect(config.smtp).toMatchObject({
      host: "127.0.0.1",
      submissionPort: 0,
      securePort: 0,
      inboundPort: 0,
      tlsCert: null,
      tlsKey: null,
    })
    expect(config.webhooks).toEqual({ allow: [], retryMs: [5_000, 30_000, 120_000] })
    expect(config.retention).toEqual({
      contentMs: 90 * 86_400_000,
      requestLogMs: 30 * 86_400_000,
      sweepMs: 86_400_000,
    })
    expect([config.domains.checkMs, config.segments.computeMs]).toEqual([300_000, 300_000])
    expect([config.accounts.signups, config.security.autoDisable]).toEqual([true, true])
  })

  test("of the sandbox have a submission port and no throttle", () => {
    const config = load({ mode: "sandbox" })
    expect([config.mode, config.smtp.submissionPort, config.limits.emailsPerSecond]).toEqual(["sandbox", 1025, 0])
  })

  test("of the sandbox apply to settings that are not set", () => {
    expect(load({ mode: "sandbox", options: { "smtp.submission_port": "2525" } }).smtp.submissionPort).toBe(2525)
  })

  test("of the caller come after every other source", () => {
    const defaults = { data: "/tmp/one" } as const
    expect(load({ defaults }).data).toBe("/tmp/one")
    expect(load({ defaults, file: toml('data = "/two"') }).data).toBe("/two")
  })
})

test("a configuration is frozen to its leaves", () => {
  const config = load({ file: toml('[transports.a]\nurl = "capture:"') })
  for (const part of [config, config.http, config.http.corsOrigins, config.transports, config.transports.a])
    expect(Object.isFrozen(part)).toBe(true)
})

test("the first source that has a value wins: option, environment, file, caller's default, default", () => {
  const numbers = ["http.port", "limits.requests_per_minute", "limits.attachments", "smtp.inbound_port"] as const
  const value = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined })
  fc.assert(
    fc.property(fc.constantFrom(...numbers), value, value, value, value, (path, option, variable, file, fallback) => {
      const config = load({
        ...(option === undefined ? {} : { options: { [path]: String(option) } }),
        ...(variable === undefined ? {} : { env: { [variableOf(path)]: String(variable) } }),
        ...(file === undefined ? {} : { file: toml(`${path} = ${file}`) }),
        ...(fallback === undefined ? {} : { defaults: { [path]: String(fallback) } }),
      })
      const given = option ?? variable ?? file ?? fallback ?? readNumber(load({}), path)
      expect(readNumber(config, path)).toBe(given)
    }),
  )
})

function readNumber(
  config: Config,
  path: "http.port" | "limits.requests_per_minute" | "limits.attachments" | "smtp.inbound_port",
) {
  const at = {
    "http.port": config.http.port,
    "limits.requests_per_minute": config.limits.requestsPerMinute,
    "limits.attachments": config.limits.attachments,
    "smtp.inbound_port": config.smtp.inboundPort,
  }
  return at[path]
}

describe("the environment", () => {
  test.each([
    ["http.base_url", "MAILSTEAD_HTTP_BASE_URL"],
    ["data", "MAILSTEAD_DATA"],
    ["transports.bulk-eu.url", "MAILSTEAD_TRANSPORTS_BULK_EU_URL"],
  ])("names %s %s", (path, variable) => {
    expect(variableOf(path)).toBe(variable)
  })

  test("has one variable for every key", () => {
    expect(new Set(settingPaths.map(variableOf)).size).toBe(settingPaths.length)
  })

  test("separates lists by spaces or commas", () => {
    const config = load({
      env: {
        MAILSTEAD_MAIL_URL: "smtp://one.example.com:587 capture:",
        MAILSTEAD_DNS_SERVERS: "9.9.9.9, [2620:fe::9]:53",
        MAILSTEAD_HTTP_CORS_ORIGINS: "https://a.example.com/ http://localhost:5173",
        MAILSTEAD_WEBHOOKS_RETRY_SECONDS: "1,0.5",
      },
    })
    expect(config.mail.url).toEqual(["smtp://one.example.com:587", "capture:"])
    expect(config.dns.servers).toEqual(["9.9.9.9", "[2620:fe::9]:53"])
    expect(config.http.corsOrigins).toEqual(["https://a.example.com", "http://localhost:5173"])
    expect(config.webhooks.retryMs).toEqual([1000, 500])
  })

  test("takes a list as the file has it, too (contract A8.2)", () => {
    const config = load({
      env: {
        MAILSTEAD_MAIL_URL: '["smtp://one.example.com:587", "capture:"]',
        MAILSTEAD_DNS_SERVERS: "[2620:fe::9]",
        MAILSTEAD_WEBHOOKS_RETRY_SECONDS: " [1, 0.5] ",
        MAILSTEAD_WEBHOOKS_ALLOW: "[]",
      },
    })
    expect(config.mail.url).toEqual(["smtp://one.example.com:587", "capture:"])
    expect(config.dns.servers).toEqual(["[2620:fe::9]"])
    expect(config.webhooks).toEqual({ allow: [], retryMs: [1000, 500] })
    expect(() => load({ env: { MAILSTEAD_WEBHOOKS_RETRY_SECONDS: "[1, -2]" } })).toThrow("at least 0, got -2")
  })

  test("does not set a key with an empty variable", () => {
    expect(
      load({ env: { MAILSTEAD_HTTP_PORT: "", MAILSTEAD_DATA: " " }, file: toml("http.port = 4000") }),
    ).toMatchObject({
      data: "./data",
      http: { port: 4000 },
    })
  })

  test("warns of MAILSTEAD_ variables that name no setting, and of no others", () => {
    const { warnings } = loadConfig({ env: { MAILSTEAD_HTTP_PROT: "1", MAILSTEAD_CONFIG: "x.toml", HTTP_PORT: "2" } })
    expect(warnings).toEqual([
      "MAILSTEAD_HTTP_PROT is no setting of ours and is ignored; did you mean MAILSTEAD_HTTP_PORT?",
    ])
  })

  test("adds to the transports of the file under their spelling, and defines new ones", () => {
    const { config, warnings } = loadConfig({
      file: toml('[mail]\nbulk = "bulk-eu"\n[transports.bulk-eu]\nurl = "capture:"\nmax_per_second = 5'),
      env: {
        MAILSTEAD_TRANSPORTS_BULK_EU_URL: "smtps://u:p@eu.example.com",
        MAILSTEAD_TRANSPORTS_RELAY_URL: "smtp://relay.example.com capture:",
        MAILSTEAD_TRANSPORTS_RELAY_MAX_PER_SECOND: "2.5",
      },
    })
    expect(warnings).toEqual([])
    expect(config.mail.bulk).toBe("bulk-eu")
    expect(config.transports).toEqual({
      "bulk-eu": { url: ["smtps://u:p@eu.example.com"], maxPerSecond: 5 },
      relay: { url: ["smtp://relay.example.com", "capture:"], maxPerSecond: 2.5 },
    })
  })
})

describe("the file", () => {
  test("takes a list as an array or as separated text", () => {
    for (const text of [
      'mail.url = ["smtp://a.example.com", "capture:"]',
      'mail.url = "smtp://a.example.com capture:"',
    ])
      expect(load({ file: toml(text) }).mail.url).toEqual(["smtp://a.example.com", "capture:"])
  })

  test.each([
    ["[http]\nprot = 1", "http.prot: no such key (mailstead.toml); did you mean http.port?"],
    ["[htpp]\nport = 1", "htpp: no such key (mailstead.toml); did you mean http?"],
    ["port = 1", "port: no such key (mailstead.toml); did you mean http.port?"],
    ["[mail]\nbase_url = 1", "mail.base_url: no such key (mailstead.toml); did you mean http.base_url?"],
    ["[http]\nhost.name = 1", 'http.host: expected an IP address or a host name, got {"name":1} (mailstead.toml)'],
    ["zzz = 1", "zzz: no such key (mailstead.toml)"],
    ["http = 1", "http: expected a section [http] (mailstead.toml)"],
    ["[[http]]\nport = 1", "http: expected a section [http] (mailstead.toml)"],
    ["transports = 1", "transports: expected a section [transports] (mailstead.toml)"],
    ["[transports.a]\nurl = 'capture:'\nmax = 1", "transports.a.max: no such key (mailstead.toml)"],
    [
      "[transports.a]\nulr = 'capture:'\nurl = 'capture:'",
      "transports.a.ulr: no such key (mailstead.toml); did you mean transports.a.url?",
    ],
    [
      "[transports.A]\nurl = 'capture:'",
      "transports.A: expected a name of lower-case letters, digits, - and _ that begins with a letter (mailstead.toml)",
    ],
    ["[transports.a]\nmax_per_second = 1", "transports.a.url: expected a transport URL, got nothing"],
    ["[transports.a]\nurl = []", "transports.a.url: expected a transport URL, got [] (mailstead.toml)"],
    ["__proto__ = 1", "__proto__: no such key (mailstead.toml)"],
    ["constructor = 1", "constructor: no such key (mailstead.toml)"],
  ])("%j is refused", (text, fault) => {
    expect(faultsOf({ file: toml(text) })).toEqual([fault])
  })

  test.each([
    ["[http]\nport = 80\nhost = \n[mail]\n", 3],
    ["[http]\nport = 80\nport = 81", 3],
    ["x", 1],
    ['# fine\r\n[dns]\r\nservers = ["9.9.9.9"\r\n[mail]\r\n', 3],
  ])("%j is reported with the line of its first mistake", (text, line) => {
    const faults = faultsOf({ file: toml(text) })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toStartWith(`mailstead.toml:${line}: `)
  })
})

test("every fault is listed at once, with its place, the given value and the expected one", () => {
  const faults = faultsOf({
    options: { "http.port": "99999" },
    env: { MAILSTEAD_LIMITS_ATTACHMENTS: "many", MAILSTEAD_LOG_LEVEL: "loud" },
    file: toml('[http]\nhots = "x"\n[accounts]\nsignups = "yes"\n[limits]\nrequests_per_minute = "10"'),
  })
  expect(faults.sort()).toEqual([
    'accounts.signups: expected true or false, got "yes" (mailstead.toml)',
    "http.hots: no such key (mailstead.toml); did you mean http.host?",
    'http.port: expected a port number from 0 to 65535, got "99999" (command line)',
    'limits.attachments: expected a whole number, at least 0, got "many" (MAILSTEAD_LIMITS_ATTACHMENTS)',
    'limits.requests_per_minute: expected a whole number, at least 0, got "10" (mailstead.toml)',
    'log.level: expected one of debug, info, warn, error, got "loud" (MAILSTEAD_LOG_LEVEL)',
  ])
})

test("the message of the error shows every fault", () => {
  const error = new ConfigError([
    { path: "a", message: "one" },
    { path: "b", message: "two" },
  ])
  expect(error.message).toBe("The configuration has 2 faults:\n  a: one\n  b: two")
})

describe("settings that need each other", () => {
  test.each([
    [
      '[mail]\nbulk = "blk"\n[transports.bulk]\nurl = "capture:"',
      'mail.bulk: expected the NAME of a [transports.NAME], got "blk"; did you mean bulk?',
    ],
    ['mail.transactional = "toString"', 'mail.transactional: expected the NAME of a [transports.NAME], got "toString"'],
    ['smtp.tls_cert = "c.pem"', "smtp.tls_key: expected the key of smtp.tls_cert, got nothing"],
    ['smtp.tls_key = "k.pem"', "smtp.tls_cert: expected the certificate of smtp.tls_key, got nothing"],
    ["smtp.secure_port = 465", "smtp.tls_cert: expected a certificate for smtp.secure_port, got nothing"],
    ["smtp.inbound_port = 3000", "smtp.inbound_port: expected a port of its own, got 3000, which is http.port too"],
    [
      'http = { domains = "a.example", tls_port = 3000 }',
      "http.tls_port: expected a port of its own, got 3000, which is http.port too",
    ],
    ['otel.headers = "foo"', "otel.headers: expected name=value, separated by commas, got a hidden value"],
    [
      'postmark.webhook_user = "u"',
      "postmark.webhook_password: expected user and password together, got only the other one",
    ],
    [
      'postmark.webhook_password = "p"',
      "postmark.webhook_user: expected user and password together, got only the other one",
    ],
  ])("%j is refused", (text, fault) => {
    expect(faultsOf({ file: toml(text) })).toEqual([fault])
  })

  test("are accepted together", () => {
    const config = load({
      file: toml(
        '[smtp]\ntls_cert = "c"\ntls_key = "k"\nsecure_port = 465\n[postmark]\nwebhook_user = "u"\nwebhook_password = "p"',
      ),
    })
    expect(config.smtp).toMatchObject({ tlsCert: "c", tlsKey: "k", securePort: 465 })
    expect(config.postmark).toMatchObject({ webhookUser: "u", webhookPassword: "p" })
  })

  test("the host of the SMTP listener defaults to that of HTTP", () => {
    expect(load({ options: { "http.host": "0.0.0.0" } }).smtp.host).toBe("0.0.0.0")
    expect(load({ options: { "http.host": "0.0.0.0", "smtp.host": "::1" } }).smtp.host).toBe("::1")
  })
})
