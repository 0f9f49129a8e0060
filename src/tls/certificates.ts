import type { Config } from "../config.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Log } from "../kernel/log.ts"
import type { Dns } from "../net/dns.ts"
import { createSafeFetch } from "../net/safe-fetch.ts"
import { acmeFolder } from "./acme/folder.ts"
import { createAcmeCertificates } from "./acme/renewal.ts"
import type { CertificateSource, Certificates } from "./certificate.ts"
import { createCertificateFiles, readAuthority } from "./files.ts"

interface CertificateDeps {
  readonly dns: Pick<Dns, "addresses">
  /** The real time, which certificates are about. */
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
}

/** The certificates of the server: for https that of `http.domains`, for SMTP its own, else the same. */
export function createCertificates(config: Pick<Config, "data" | "http" | "smtp">, deps: CertificateDeps) {
  const { http, smtp } = config
  /** The answers to challenges of the authority, by their token. */
  const challenges = new Map<string, string>()
  const https = http.domains === null ? undefined : (fromFiles("http", http) ?? fromAuthority(http.domains))
  const ownOfSmtp = fromFiles("smtp", smtp)
  const all = [https, ownOfSmtp].filter((each) => each !== undefined)

  function fromFiles(
    section: "http" | "smtp",
    { tlsCert: certPath, tlsKey: keyPath }: Pick<Config["http"], "tlsCert" | "tlsKey">,
  ) {
    if (certPath === null || keyPath === null) return undefined
    return createCertificateFiles({ section, certPath, keyPath }, deps)
  }

  function fromAuthority(names: readonly string[]): Certificates {
    const { acmeDirectory: directory, acmeEmail: email, acmeCa } = http
    const { hostname } = new URL(directory)
    const fetch = createSafeFetch({
      ...deps,
      // The operator named it: it may be one of their own network.
      allow: [hostname.replace(/^\[|\]$/g, "")],
      ...(acmeCa !== null && { ca: readAuthority(acmeCa) }),
    })
    const folder = acmeFolder(config.data)
    return createAcmeCertificates({ names, directory, email }, { ...deps, folder, fetch, challenges })
  }

  return {
    https: https as CertificateSource | undefined,
    smtp: (ownOfSmtp ?? https) as CertificateSource | undefined,
    challenges,
    /** Reads what is there. Throws when files of the operator cannot be used. */
    open(): void {
      for (const each of all) each.open()
    },
    /** Keeps them up to date from now on. */
    start(): void {
      for (const each of all) each.start()
    },
    async stop(): Promise<void> {
      await Promise.all(all.map((each) => each.stop()))
    },
  }
}
