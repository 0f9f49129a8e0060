import { file, nonEmpty, port } from "./kinds.ts"
import { baseUrl, domainNames, emailAddress, host, networks, origins } from "./net-kinds.ts"
import { optional, type Setting, setting } from "./setting.ts"

/** Where the server listens and how it is reached: addresses, certificates, proxies (contract A8.2, A8.6). */
export const httpSettings = {
  "http.host": setting(
    host,
    "127.0.0.1",
    '"0.0.0.0" listens on every address of the machine; behind a reverse proxy keep the default.',
  ),
  "http.port": setting(port, 3000, "0 lets the system pick a free port."),
  "http.base_url": optional(
    baseUrl,
    "https://mail.example.com",
    "The public address: prefix of unsubscribe, tracking and sign-in links. Without a path: the dashboard works at the root of a name only. Default: https:// and the first name of http.domains, else http://HOST:PORT",
  ),
  "http.domains": optional(
    nonEmpty(domainNames, "a domain such as example.com"),
    "mail.example.com",
    "The names at which this server is reached by https, without a proxy: it listens on the two ports below, obtains a certificate for the names by ACME, renews it, and redirects http to https. `mailstead serve mail.example.com` sets it too. The first name is the default of http.base_url. http.host and http.port still serve programs on this machine.",
  ),
  "http.tls_host": setting(
    host,
    "::",
    "The address to listen on for http.domains. The default is every address of the machine, IPv4 and IPv6.",
  ),
  "http.tls_port": setting(port, 443, "The port for https. 0 lets the system pick a free port."),
  "http.plain_port": setting(
    port,
    80,
    "The port at which http is redirected, and which the certificate authority connects to. It must be reached as port 80. 0 lets the system pick a free port.",
  ),
  "http.tls_cert": optional(
    file,
    "/etc/mailstead/tls/fullchain.pem",
    "The certificate chain for http.domains, a PEM file that you renew, instead of one obtained by ACME. A new one is used within a minute.",
  ),
  "http.tls_key": optional(file, "/etc/mailstead/tls/privkey.pem", "The private key of the certificate, a PEM file."),
  "http.acme_directory": setting(
    baseUrl,
    "https://acme-v02.api.letsencrypt.org/directory",
    "The certificate authority, by the address of its ACME directory (RFC 8555). To try things out: https://acme-staging-v02.api.letsencrypt.org/directory. By default you agree to the terms of service of Let's Encrypt.",
  ),
  "http.acme_email": optional(
    emailAddress,
    "ops@example.com",
    "The contact address of the account at the certificate authority. Optional.",
  ),
  "http.acme_ca": optional(
    file,
    "/etc/mailstead/tls/ca.pem",
    "The root certificate of a private certificate authority, a PEM file. Default: the well-known ones.",
  ),
  "http.trusted_proxies": setting(
    networks,
    [],
    "IP addresses and ranges of reverse proxies whose X-Forwarded-For or Forwarded header is trusted. The client is the last address in it that is not one of these. Without it the address of a client is that of the connection.",
  ),
  "http.cors_origins": setting(
    origins,
    [],
    "Other web origins whose pages may use the whole API with a key, and read with a session; with that only the dashboard makes changes. /v1 is open to every origin anyway.",
  ),
} as const satisfies Record<string, Setting<unknown>>
