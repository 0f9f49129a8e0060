import { readFileSync } from "node:fs"
import { type Clock, minute } from "../kernel/clock.ts"
import { DomainError } from "../kernel/errors.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import { type Certificate, type Certificates, createCertificateHolder, requirePair } from "./certificate.ts"

export interface CertificateFiles {
  readonly certPath: string
  readonly keyPath: string
}

/** How often the files are read again: they are small, and renewed weeks before the old ones expire. */
const everyMs = minute

/**
 * The certificate in files of the operator, who replaces them. While the files cannot be used, for example because only
 * one of them has been replaced, the certificate that was read before stays, and the log says why once.
 */
export function createCertificateFiles(
  files: CertificateFiles,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Certificates {
  const holder = createCertificateHolder()
  const stopping = new AbortController()
  let lastReason: string | undefined
  let watching: Promise<void> | undefined

  function look(): void {
    try {
      const found = readCertificate(files)
      lastReason = undefined
      const current = holder.current()
      if (found.cert === current?.cert && found.key === current.key) return
      holder.set(found)
      log.info("The certificate was replaced", { file: files.certPath })
    } catch (cause) {
      const reason = reasonOf(cause)
      if (reason !== lastReason)
        log.warn("The certificate cannot be read, the old one stays", { file: files.certPath, reason })
      lastReason = reason
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await clock.sleep(everyMs, stopping.signal)
      if (stopping.signal.aborted) return
      look()
    }
  }

  return {
    ...holder,
    open() {
      try {
        holder.set(readCertificate(files))
      } catch (cause) {
        const reason = `Cannot use the certificate ${files.certPath} with the key ${files.keyPath}: ${reasonOf(cause)}`
        throw new DomainError("unavailable", "CERTIFICATE_UNREADABLE", reason)
      }
    },
    start() {
      watching ??= watch()
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

/** The certificate of an authority of the operator's own. Throws when it cannot be read. */
export function readAuthority(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    throw new DomainError("unavailable", "CERTIFICATE_UNREADABLE", `Cannot read http.acme_ca: ${reasonOf(cause)}`)
  }
}

/**
 * Throws with the reason when the files are no certificate with its key, as when one of them was replaced between the two
 * reads.
 */
export const readCertificate = ({ certPath, keyPath }: CertificateFiles): Certificate =>
  requirePair({ cert: readFileSync(certPath, "utf8"), key: readFileSync(keyPath, "utf8") })
