import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { ConfigError } from "../config.ts"
import { type Clock, minute } from "../kernel/clock.ts"
import { type Log, plainReasonOf, reasonOf } from "../kernel/log.ts"
import { type Certificate, type Certificates, createCertificateHolder, requirePair } from "./certificate.ts"

interface CertificateFiles {
  /** The section of the configuration that names them. */
  readonly section: "http" | "smtp"
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
        const path = `${files.section}.tls_cert, ${files.section}.tls_key`
        throw new ConfigError([{ path, message: reasonOf(cause) }])
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

/** The certificate of an authority of the operator's own. Throws a ConfigError when it cannot be read. */
export function readAuthority(path: string): string {
  try {
    return readPem(path, isCertificate, "certificate")
  } catch (cause) {
    throw new ConfigError([{ path: "http.acme_ca", message: reasonOf(cause) }])
  }
}

/**
 * Throws with the reason when the files are not a certificate and its key, as when one of them was replaced between
 * the two reads.
 */
export function readCertificate({ certPath, keyPath }: Omit<CertificateFiles, "section">): Certificate {
  const cert = readPem(certPath, isCertificate, "certificate")
  const key = readPem(keyPath, isKey, "private key")
  if (encrypted.test(key))
    throw new Error(
      `the key ${keyPath} is encrypted; name a file with the key as openssl pkey -in ${keyPath} writes it`,
    )
  try {
    return requirePair({ cert, key })
  } catch (cause) {
    const { code } = cause as { code?: string }
    if (code === undefined || !mismatches.includes(code))
      throw new Error(`the certificate ${certPath} cannot be used with the key ${keyPath}: ${reasonOf(cause)}`)
    throw new Error(
      isOfLaterOne({ cert, key })
        ? `the key ${keyPath} is that of a later certificate in ${certPath}; put the certificate of the server first`
        : `the key ${keyPath} is not that of the certificate ${certPath}; name two files that belong together`,
    )
  }
}

/** PKCS #8 (RFC 5958) and the older form of OpenSSL (RFC 1421). */
const encrypted = /^(?:-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m

/** Whether the chain is in the wrong order (RFC 8446, 4.4.2). */
function isOfLaterOne({ cert, key }: Certificate): boolean {
  const [, ...later] = cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return later.some((one) => isCertificate(one) && new X509Certificate(one).checkPrivateKey(createPrivateKey(key)))
}

/** The key is another one, or of another algorithm. */
const mismatches = ["ERR_OSSL_X509_KEY_VALUES_MISMATCH", "ERR_OSSL_X509_KEY_TYPE_MISMATCH"]

function readPem(path: string, isValid: (text: string) => boolean, what: string): string {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${plainReasonOf(cause)}`)
  }
  if (!isValid(text)) throw new Error(`${path} is no ${what} in a PEM file`)
  return text
}

const isKey = (text: string): boolean => /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/m.test(text)

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text) !== undefined
  } catch {
    return false
  }
}
