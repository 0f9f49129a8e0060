import { createPublicKey, type KeyObject, sign, X509Certificate } from "node:crypto"
import { CertificationRequest, CertificationRequestInfo } from "@peculiar/asn1-csr"
import { AsnConvert, OctetString } from "@peculiar/asn1-schema"
import {
  AlgorithmIdentifier,
  Attribute,
  AuthorityKeyIdentifier,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_subjectAltName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
} from "@peculiar/asn1-x509"

const ecdsaWithSha256 = "1.2.840.10045.4.3.2"
const extensionRequest = "1.2.840.113549.1.9.14"

/** A certificate signing request (RFC 2986) for these names, in DER. The key is one of P-256. */
export function signingRequest(names: readonly string[], key: KeyObject): Buffer {
  const alternatives = new SubjectAlternativeName(names.map((dNSName) => new GeneralName({ dNSName })))
  const extensions = new Extensions([
    new Extension({ extnID: id_ce_subjectAltName, extnValue: new OctetString(AsnConvert.serialize(alternatives)) }),
  ])
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" })
  const info = new CertificationRequestInfo({
    subjectPKInfo: AsnConvert.parse(publicKey, SubjectPublicKeyInfo),
  })
  info.attributes.push(new Attribute({ type: extensionRequest, values: [AsnConvert.serialize(extensions)] }))
  const signature = sign("sha256", Buffer.from(AsnConvert.serialize(info)), key)
  const request = new CertificationRequest({
    certificationRequestInfo: info,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    signature: new Uint8Array(signature).buffer,
  })
  return Buffer.from(AsnConvert.serialize(request))
}

/**
 * What names a certificate in requests about its renewal (RFC 9773, 4.1): the identifier of its issuer's key, and its
 * serial number. Undefined for one that does not identify that key.
 */
export function renewalIdOf(pem: string): string | undefined {
  const { tbsCertificate } = AsnConvert.parse(new X509Certificate(pem).raw, Certificate)
  const extension = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_authorityKeyIdentifier)
  if (extension === undefined) return undefined
  const { keyIdentifier } = AsnConvert.parse(extension.extnValue, AuthorityKeyIdentifier)
  if (keyIdentifier === undefined) return undefined
  const parts = [keyIdentifier.buffer, tbsCertificate.serialNumber]
  return parts.map((part) => Buffer.from(part).toString("base64url")).join(".")
}
