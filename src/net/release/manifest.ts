import { createPublicKey, verify } from "node:crypto"
import { isObject, jsonOf } from "../../kernel/json.ts"

/** One file by its content. */
export interface Content {
  readonly size: number
  /** 64 hexadecimal digits. */
  readonly sha256: string
}

/** The archive of one platform: a gzipped tar whose first file is the executable. */
export interface Archive extends Content {
  /** A plain name: the archive lies beside the manifest. */
  readonly file: string
  readonly executable: Content
}

/** A release, as its signature covers it: version, platforms and hashes together. */
export interface Manifest {
  readonly product: "mailstead"
  readonly version: string
  readonly archives: Readonly<Record<string, Archive>>
}

/** What `update.url` answers: the manifest as JSON text, and the Ed25519 signature of that text in base64. */
export interface SignedManifest {
  readonly manifest: string
  readonly signature: string
}

/** The manifest of a response. Nothing in it is used before its signature is verified; throws a sentence if it is not. */
export function openManifest(text: string, key: string): Manifest {
  const envelope = jsonOf(text)
  if (!isObject(envelope) || typeof envelope.manifest !== "string" || typeof envelope.signature !== "string")
    throw new Error("The answer of update.url is no signed manifest.")
  const signed = new TextEncoder().encode(envelope.manifest)
  const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" })
  if (!verify(null, signed, publicKey, Buffer.from(envelope.signature, "base64")))
    throw new Error("The signature of the manifest is wrong. Nothing was changed.")
  const manifest = jsonOf(envelope.manifest)
  if (!isManifest(manifest)) throw new Error("The manifest is signed, but of a form that this version does not know.")
  return manifest
}

/** The archive for this platform. @throws a sentence unless the release is newer than `running`, or when it has none */
export function archiveFor({ version, archives }: Manifest, platform: string, running: string): Archive {
  if (!isNewer(version, running)) throw new Error(`The release ${version} is not newer than this version, ${running}.`)
  const archive = Object.hasOwn(archives, platform) ? archives[platform] : undefined
  if (archive === undefined) throw new Error(`The release ${version} has no archive for ${platform}.`)
  return archive
}

export const isNewer = (version: string, running: string): boolean => Bun.semver.order(version, running) > 0

const isContent = (value: unknown): value is Content =>
  isObject(value) && Number.isSafeInteger(value.size) && Number(value.size) > 0 && isHash(value.sha256)

const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value)

const isArchive = (value: unknown): boolean =>
  isContent(value) && "file" in value && isPlainName(value.file) && "executable" in value && isContent(value.executable)

const isPlainName = (value: unknown): boolean => typeof value === "string" && /^[\w][\w.-]*$/.test(value)

const isManifest = (value: unknown): value is Manifest =>
  isObject(value) &&
  value.product === "mailstead" &&
  typeof value.version === "string" &&
  /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(value.version) &&
  isObject(value.archives) &&
  Object.values(value.archives).every(isArchive)
