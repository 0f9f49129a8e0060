import { headersIn } from "../kernel/header-list.ts"
import { nearest } from "../kernel/suggest.ts"
import { type ConfigFault, didYouMean } from "./fault.ts"
import type { Config } from "./model.ts"

/** Checks combinations of settings, each of which is valid by itself. */
export function checkTogether(config: Config): ConfigFault[] {
  const { mode, sandbox, mail, transports, http, smtp, postmark, alerts, otel, backup } = config
  return [
    ...transportName("mail.transactional", mail.transactional, transports),
    ...transportName("mail.bulk", mail.bulk, transports),
    ...certificate("http", http),
    ...certificate("smtp", smtp),
    ...certificateUse(http, smtp),
    ...credentials(postmark),
    ...clock(mode, sandbox),
    ...webhook(alerts),
    ...collectorHeaders(otel),
    ...encryption(backup),
    ...ownPorts(config),
  ]
}

function transportName(path: string, name: string | null, transports: Config["transports"]): ConfigFault[] {
  if (name === null || Object.hasOwn(transports, name)) return []
  const near = nearest(name, Object.keys(transports))
  return [{ path, message: `expected the NAME of a [transports.NAME], got "${name}"${didYouMean(near)}` }]
}

function certificate(
  section: "http" | "smtp",
  { tlsCert, tlsKey }: Pick<Config["smtp"], "tlsCert" | "tlsKey">,
): ConfigFault[] {
  const [cert, key] = [`${section}.tls_cert`, `${section}.tls_key`]
  if (tlsCert !== null && tlsKey === null) return [{ path: key, message: `expected the key of ${cert}, got nothing` }]
  if (tlsCert === null && tlsKey !== null)
    return [{ path: cert, message: `expected the certificate of ${key}, got nothing` }]
  return []
}

function certificateUse(http: Config["http"], { tlsCert, tlsKey, securePort }: Config["smtp"]): ConfigFault[] {
  const isNamed = http.domains !== null
  const needsNames = http.tlsCert !== null && !isNamed
  const needsCertificate = tlsCert === null && tlsKey === null && securePort !== 0 && !isNamed
  return [
    ...(needsNames
      ? [{ path: "http.domains", message: "expected the names in the certificate http.tls_cert, got nothing" }]
      : []),
    ...(needsCertificate
      ? [{ path: "smtp.tls_cert", message: "expected a certificate for smtp.secure_port, got nothing" }]
      : []),
  ]
}

function credentials({ webhookUser, webhookPassword }: Config["postmark"]): ConfigFault[] {
  if ((webhookUser === null) === (webhookPassword === null)) return []
  const path = webhookUser === null ? "postmark.webhook_user" : "postmark.webhook_password"
  return [{ path, message: "expected user and password together, got only the other one" }]
}

function clock(mode: Config["mode"], { clock }: Config["sandbox"]): ConfigFault[] {
  if (mode === "sandbox" || clock === "system") return []
  return [{ path: "sandbox.clock", message: "expected system, because only the clock of a sandbox can be manual" }]
}

/** The address of a webhook is a secret, so it is not shown. */
function webhook({ webhook: url }: Config["alerts"]): ConfigFault[] {
  if (url === null || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return []
  return [{ path: "alerts.webhook", message: "expected an http:// or https:// address, got a hidden value" }]
}

/** They are secrets, too. */
function collectorHeaders({ headers }: Config["otel"]): ConfigFault[] {
  if (headers === null || headersIn(headers) !== undefined) return []
  return [{ path: "otel.headers", message: "expected name=value, separated by commas, got a hidden value" }]
}

function encryption({ passphrase, withSecret }: Config["backup"]): ConfigFault[] {
  if (!withSecret || passphrase !== null) return []
  return [{ path: "backup.passphrase", message: "expected a passphrase for backup.with_secret, got nothing" }]
}

/** Two ports at which one of our own listeners would be in the way of another. */
function ownPorts({ http, smtp }: Config): ConfigFault[] {
  const listeners = [
    { path: "http.port", host: http.host, port: http.port },
    ...(http.domains === null
      ? []
      : [
          { path: "http.tls_port", host: http.tlsHost, port: http.tlsPort },
          { path: "http.plain_port", host: http.tlsHost, port: http.plainPort },
        ]),
    { path: "smtp.submission_port", host: smtp.host, port: smtp.submissionPort },
    { path: "smtp.secure_port", host: smtp.host, port: smtp.securePort },
    { path: "smtp.inbound_port", host: smtp.host, port: smtp.inboundPort },
  ]
  return listeners.flatMap(({ path, host, port }, at) => {
    const other = listeners.slice(0, at).find((one) => one.port === port && port !== 0 && overlap(one.host, host))
    return other ? [{ path, message: `expected a port of its own, got ${port}, which is ${other.path} too` }] : []
  })
}

const overlap = (one: string, other: string): boolean => one === other || covers(one, other) || covers(other, one)

const covers = (host: string, other: string): boolean => host === "::" || (host === "0.0.0.0" && !other.includes(":"))
