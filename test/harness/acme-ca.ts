import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto"
import { CertificationRequest } from "@peculiar/asn1-csr"
import { AsnConvert, OctetString } from "@peculiar/asn1-schema"
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  Certificate,
  Extension,
  Extensions,
  id_ce_authorityKeyIdentifier,
  id_ce_subjectAltName,
  KeyIdentifier,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  TBSCertificate,
  Validity,
} from "@peculiar/asn1-x509"

/** An authority with a key of its own, which nobody trusts. */
interface TestCa {
  /** The certificate, in PEM, for a request in DER. Its key identifier is that of the authority. */
  issue(request: Buffer, beginsAt: number, expiresAt: number): string
  /** The names that a request asks for. */
  namesIn(request: Buffer): string[]
}

const ecdsaWithSha256 = new AlgorithmIdentifier({ algorithm: "1.2.840.10045.4.3.2" })
const commonName = "2.5.4.3"
const extensionRequest = "1.2.840.113549.1.9.14"

export function createTestCa(): TestCa {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" })
  const keyIdentifier = new KeyIdentifier(createHash("sha1").update(publicKey).digest())

  function partsOf(der: Buffer) {
    const request = AsnConvert.parse(der, CertificationRequest)
    const attribute = request.certificationRequestInfo.attributes.find(({ type }) => type === extensionRequest)
    const value = attribute?.values[0]
    if (value === undefined) throw new Error("The request asks for no extension")
    const names = AsnConvert.parse(value, Extensions).find(({ extnID }) => extnID === id_ce_subjectAltName)
    if (names === undefined) throw new Error("The request has no names")
    return { publicKey: request.certificationRequestInfo.subjectPKInfo, names }
  }

  return {
    namesIn: (request) =>
      AsnConvert.parse(partsOf(request).names.extnValue, SubjectAlternativeName).map(({ dNSName }) => dNSName ?? ""),

    issue(request, beginsAt, expiresAt) {
      const { publicKey, names } = partsOf(request)
      const serial = randomBytes(12)
      serial[0] = 1 + ((serial[0] ?? 0) & 0x3f)
      const authority = AsnConvert.serialize(new AuthorityKeyIdentifier({ keyIdentifier }))
      const tbsCertificate = new TBSCertificate({
        version: 2,
        serialNumber: new Uint8Array(serial).buffer,
        signature: ecdsaWithSha256,
        issuer: nameOf("Test authority"),
        subject: nameOf("a server"),
        validity: new Validity({ notBefore: new Date(beginsAt), notAfter: new Date(expiresAt) }),
        subjectPublicKeyInfo: publicKey,
        extensions: new Extensions([
          names,
          new Extension({ extnID: id_ce_authorityKeyIdentifier, extnValue: new OctetString(authority) }),
        ]),
      })
      const signature = sign("sha256", Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey)
      const certificate = new Certificate({
        tbsCertificate,
        signatureAlgorithm: ecdsaWithSha256,
        signatureValue: new Uint8Array(signature).buffer,
      })
      return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString()
    },
  }
}

const nameOf = (text: string): Name =>
  new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: commonName, value: new AttributeValue({ utf8String: text }) }),
    ]),
  ])
