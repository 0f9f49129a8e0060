import { backupSettings } from "./backup-settings.ts"
import { httpSettings } from "./http-settings.ts"
import { boolean, file, folder, integer, listOf, nonEmpty, number, oneOf, port, secret, text } from "./kinds.ts"
import { allowedHosts, awsRegion, dnsServers, domainNames, host, hostName, sender, snsTopics } from "./net-kinds.ts"
import { observeSettings } from "./observe-settings.ts"
import { following, optional, type Setting, setting } from "./setting.ts"
import { transportUrls } from "./transport-url.ts"

const count = integer({ least: 0 })
const positive = number({ least: 0, above: true })
const duration = number({ least: 0 })

/**
 * Every setting but those of the transports, whose names are the operator's (contract A8.2, B9.7; `smtp.host`, `log.*`
 * and `verification.*` are not in the contract). The name is the path in the file. The rest of the configuration
 * follows from this table: the type `Config` and its property names (`names.ts`), environment variables, validation,
 * the example file and `mailstead help config`.
 */
export const settings = {
  data: setting(
    folder,
    "./data",
    "The folder of the database and the files. Relative paths are relative to the working directory.",
  ),

  ...httpSettings,

  "sandbox.hosts": setting(
    listOf(hostName),
    [],
    "Names under which the sandbox is reached, beside loopback, IP addresses, names without a dot, *.localhost, *.internal, *.local and the host of http.base_url. Requests to any other name are refused: a web page of a stranger could have it point here.",
  ),

  "sandbox.keep_messages": setting(
    count,
    10_000,
    "The most messages that the sandbox keeps, of each project; the oldest are deleted. 0 is no limit.",
  ),
  "sandbox.keep_days": setting(duration, 0, "How long the sandbox keeps messages. May be a fraction; 0 is for ever."),
  "sandbox.clock": setting(
    oneOf("system", "manual"),
    "system",
    "manual: the clock of the sandbox stands still until POST /sandbox/clock turns it. Only for the sandbox.",
  ),

  "log.level": setting(
    oneOf("debug", "info", "warn", "error"),
    "info",
    "The lowest of debug, info, warn, error to log.",
  ),
  "log.format": setting(oneOf("text", "json"), "text", "text or json; both write one line per record."),

  "limits.requests_per_minute": setting(count, 1000, "Requests with an API key, per project. 0 is no limit."),
  "limits.public_requests_per_minute": setting(
    count,
    0,
    "Of these, requests with the public key, which is in web pages. 0 is no separate limit.",
  ),
  "limits.idempotency_hours": setting(positive, 24, "How long an Idempotency-Key is kept."),
  "limits.attachments": setting(count, 10, "Attachments of one mail."),
  "limits.attachment_mb": setting(
    number({ least: 0, most: 40 }),
    10,
    "Megabytes of all attachments of one mail together; at most 40, the limit of a whole mail.",
  ),
  "limits.uploads_mb": setting(
    number({ least: 0 }),
    1000,
    "Megabytes of all uploaded images of one project together. 0 is no limit.",
  ),
  "limits.condition_seconds": setting(
    positive,
    10,
    "The time limit for evaluating a condition for a part of the contacts; when it is exceeded, the segment shows that.",
  ),
  "limits.emails_per_second": setting(
    duration,
    100,
    "Outgoing mail per project. 0 is no limit, which is the default in the sandbox.",
    0,
  ),

  "mail.url": setting(
    transportUrls,
    [],
    `The transport of outgoing mail. Without one, mail is captured in the inbox of the dashboard and nothing is sent.
  smtp://user:password@host:587      STARTTLS when offered; ?tls=required, ?tls=off, ?insecure=true, ?pool=N,
                                     ?auth=xoauth2 (the password is the token), ?client=nodemailer
  smtps://user:password@host:465     TLS from the first byte
  ses://eu-west-1                    Amazon SES, credentials from the AWS environment; ?configuration_set=NAME
  postmark://TOKEN                   Postmark; ?transactional=outbound&bulk=broadcast are its message streams
  capture:                           captures everything
  plugin:/absolute/file.ts?option=x  a transport of your own
Several in a list are tried in order. In user and password write / ? # @ % as %2F %3F %23 %40 %25.`,
  ),
  "mail.transactional": optional(
    text,
    "relay",
    "The NAME of a [transports.NAME] below that sends everything but campaigns. Default: mail.url",
  ),
  "mail.bulk": optional(
    text,
    "newsletter",
    "The NAME of a [transports.NAME] below that sends campaigns. Default: mail.url",
  ),

  "smtp.host": following(
    "http.host",
    host,
    "0.0.0.0",
    "The address to listen on; incoming mail needs one that other servers reach. Default: that of http.host",
  ),
  "smtp.hostname": optional(
    hostName,
    "mail.example.com",
    "The name in greetings and Received lines. Default: the name in http.base_url, else localhost.",
  ),
  "smtp.submission_port": setting(
    port,
    0,
    "Submission with STARTTLS, usually 587. 0 is off; in the sandbox the default is 1025.",
    1025,
  ),
  "smtp.secure_port": setting(port, 0, "Submission with implicit TLS, usually 465. 0 is off."),
  "smtp.inbound_port": setting(port, 0, "Incoming mail, usually 25, to which other servers connect. 0 is off."),
  "smtp.tls_cert": optional(
    file,
    "/etc/mailstead/tls/fullchain.pem",
    "The certificate chain, a PEM file. Default: the certificate of http.domains. Without either there is no TLS, and passwords are accepted from this machine only.",
  ),
  "smtp.tls_key": optional(file, "/etc/mailstead/tls/privkey.pem", "The private key of the certificate, a PEM file."),

  "ses.region": optional(
    awsRegion,
    "eu-west-1",
    "The region of the sender identities. Default: that of the ses:// transport",
  ),
  "ses.topics": setting(
    snsTopics,
    [],
    "The SNS topics whose reports are accepted. Without one, /webhooks/sns answers 404.",
  ),

  "postmark.token": optional(
    secret,
    "00000000-0000-0000-0000-000000000000",
    "The server token for sender domains. Default: that of the postmark:// transport",
  ),
  "postmark.webhook_user": optional(
    text,
    "postmark",
    "User of the basic authentication of Postmark's reports. Without user and password, /webhooks/postmark answers 404.",
  ),
  "postmark.webhook_password": optional(secret, "a long random text", "The password of that user."),

  "webhooks.allow": setting(
    allowedHosts,
    [],
    "Requests of workflows never reach loopback and private addresses, except these addresses, ranges and host names.",
  ),
  "webhooks.retry_seconds": setting(
    listOf(duration),
    [5, 30, 120],
    "The pauses before a failed request is repeated, one for each further attempt.",
  ),

  "dns.servers": setting(dnsServers, [], "IP addresses of DNS servers, a port may follow. Default: the system's."),

  "verification.disposable": setting(domainNames, [], "Domains of disposable addresses, with their subdomains."),
  "verification.alias": setting(
    domainNames,
    [],
    "Domains of addresses that forward to another mailbox, with their subdomains.",
  ),
  "verification.personal": setting(
    domainNames,
    [],
    "Domains of personal mailboxes, not of organisations. These are never treated as typos of another provider.",
  ),

  "accounts.signups": setting(
    boolean,
    true,
    "Whether people may create accounts themselves. `mailstead user create`, and the set-up link, work all the same.",
  ),
  "system_mail.from": optional(
    sender,
    "Mailstead <mailstead@example.com>",
    "The sender of confirmations, password resets and notices. Without one their links are logged.",
  ),
  "security.auto_disable": setting(
    boolean,
    true,
    "Disable projects whose bounces or complaints reach the critical level. false only reports.",
  ),
  ...observeSettings,

  "domains.check_seconds": setting(positive, 300, "How often the DNS records of sender domains are checked."),
  "segments.compute_seconds": setting(positive, 300, "How often the members of dynamic segments are recomputed."),
  "retention.content_days": setting(
    duration,
    90,
    "How long the content of sent mail is kept. May be a fraction; 0 is for ever.",
  ),
  "retention.request_log_days": setting(duration, 30, "How long the log of API requests is kept. 0 is no log."),
  "retention.sweep_seconds": setting(positive, 86_400, "How often expired records are deleted."),

  ...backupSettings,
} as const satisfies Record<string, Setting<unknown>>

/** The text about each section in the example file. */
export const sectionDocs: Readonly<Record<string, string>> = {
  smtp: "SMTP in: submission by your programs, and incoming mail (replies, bounces).",
  verification: "POST /v1/verify: domains in addition to the built-in lists.",
}

/** The settings of one `[transports.NAME]` (contract A8.2). */
export const transportSettings = {
  url: optional(
    nonEmpty(transportUrls, "a transport URL"),
    "smtp://user:password@smtp.example.com:587",
    "As mail.url. In the environment: MAILSTEAD_TRANSPORTS_RELAY_URL",
  ),
  max_per_second: optional(positive, 50, "Messages per second. Default: no limit but the transport's own."),
} as const satisfies Record<string, Setting<unknown>>

export type SettingPath = keyof typeof settings

export const settingPaths = Object.keys(settings) as readonly SettingPath[]

export const isSettingPath = (path: string): path is SettingPath => Object.hasOwn(settings, path)
