import { readFileSync } from "node:fs"
import { createSecureContext } from "node:tls"
import { type Clock, minute } from "../kernel/clock.ts"
import { type Log, reasonOf } from "../kernel/log.ts"

export interface Certificate {
  /** PEM. */
  readonly cert: string
  readonly key: string
}

export interface CertificateFiles {
  readonly certPath: string
  readonly keyPath: string
}

/** How often the files are read again: they are small, and renewed weeks before the old ones expire. */
const everyMs = minute

/**
 * Reads the files at once, so that both are of the same moment. Throws with the reason when they are no certificate with
 * its key.
 */
export function readCertificate({ certPath, keyPath }: CertificateFiles): Certificate {
  const [cert, key] = [readFileSync(certPath, "utf8"), readFileSync(keyPath, "utf8")]
  createSecureContext({ cert, key })
  return { cert, key }
}

/**
 * Calls `changed` with each new certificate that is put into the files, until aborted. While the files cannot be used,
 * for example because only one of them has been replaced, the certificate that was read before stays, and the log says
 * why once.
 */
export async function watchCertificate(
  files: CertificateFiles,
  first: Certificate,
  changed: (certificate: Certificate) => void,
  { clock, log, abort }: { readonly clock: Clock; readonly log: Log; readonly abort: AbortSignal },
): Promise<void> {
  let current = first
  let lastReason: string | undefined
  for (;;) {
    await clock.sleep(everyMs, abort)
    if (abort.aborted) return
    try {
      const found = readCertificate(files)
      lastReason = undefined
      if (found.cert === current.cert && found.key === current.key) continue
      current = found
      changed(found)
      log.info("smtp certificate was replaced", { file: files.certPath })
    } catch (cause) {
      const reason = reasonOf(cause)
      if (reason !== lastReason) log.warn("smtp certificate cannot be read, the old one stays", { reason })
      lastReason = reason
    }
  }
}
