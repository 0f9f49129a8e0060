import { X509Certificate } from "node:crypto"
import { createSecureContext } from "node:tls"

export interface Certificate {
  /** The chain in PEM, the certificate of the server first. */
  readonly cert: string
  /** PEM. */
  readonly key: string
}

/** A certificate that is replaced from time to time. */
export interface CertificateSource {
  /** Undefined until there is one. */
  current(): Certificate | undefined
  /** Calls `use` with the present certificate, if any, and then with each new one. */
  onCertificate(use: (certificate: Certificate) => void): void
}

/** A source with a background task that keeps its certificate up to date. */
export interface Certificates extends CertificateSource {
  /** Reads what is stored. Throws when it is the operator's and cannot be used. */
  open(): void
  start(): void
  stop(): Promise<void>
}

interface CertificateHolder extends CertificateSource {
  set(certificate: Certificate): void
}

export function createCertificateHolder(): CertificateHolder {
  const users: ((certificate: Certificate) => void)[] = []
  let current: Certificate | undefined
  return {
    current: () => current,
    onCertificate(use) {
      users.push(use)
      if (current) use(current)
    },
    set(certificate) {
      current = certificate
      for (const use of users) use(certificate)
    },
  }
}

/** Throws with the reason unless these are a certificate and its key. */
export function requirePair(certificate: Certificate): Certificate {
  createSecureContext({ cert: certificate.cert, key: certificate.key })
  return certificate
}

interface CertificateFacts {
  /** In ms, as `expiresAt`. */
  readonly beginsAt: number
  readonly expiresAt: number
  /** In lower case. */
  readonly names: readonly string[]
}

export function factsOf({ cert }: Pick<Certificate, "cert">): CertificateFacts {
  const { validFrom, validTo, subjectAltName = "" } = new X509Certificate(cert)
  return {
    beginsAt: Date.parse(validFrom),
    expiresAt: Date.parse(validTo),
    names: [...subjectAltName.matchAll(/DNS:([^,\s]+)/g)].map(([, name = ""]) => name.toLowerCase()),
  }
}
