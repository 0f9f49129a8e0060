import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Notice } from "../src/kernel/notices.ts"
import type { Archive, Content, Manifest, SignedManifest } from "../src/net/release/manifest.ts"
import { type Packed, tarGz, zip } from "./archives.ts"

/**
 * The signing key of `MAILSTEAD_SIGNING_KEY`: an Ed25519 private key in PEM, or the path of a file with one. Undefined
 * when it is not set; throws when it is unusable.
 */
export function signingKey(given: string | undefined): KeyObject | undefined {
  if (given === undefined || given.trim() === "") return undefined
  const pem = given.includes("-----BEGIN") ? given : readFileSync(given, "utf8")
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== "ed25519") throw new Error("MAILSTEAD_SIGNING_KEY is not an Ed25519 key.")
  return key
}

/** The public key as it is compiled into the executables: DER in base64. */
export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64")

/** The same for `install.sh`, which hands it to openssl. */
export const publicPemOf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: "pem", type: "spki" }).toString()

interface Built {
  /** `linux-x64-musl`, `windows-x64`, ... */
  readonly platform: string
  /** The path of the executable. */
  readonly executable: string
}

interface ReleaseParts {
  readonly version: string
  readonly notices: readonly Notice[]
  /** The text of the unit of systemd. */
  readonly unit: string
}

/** Writes the archive of one platform to `folder` and resolves to its entry in the manifest. */
export function packRelease(folder: string, { platform, executable }: Built, parts: ReleaseParts): Archive {
  const isWindows = platform.startsWith("windows")
  const stem = `mailstead-${parts.version}-${platform}`
  const bytes = readFileSync(executable)
  const text = (name: string, content: string): Packed => ({
    path: `${stem}/${name}`,
    bytes: new TextEncoder().encode(content),
  })
  const files: Packed[] = [
    // The executable comes first, so that an update can read it without parsing the whole archive.
    { path: `${stem}/mailstead${isWindows ? ".exe" : ""}`, bytes, isExecutable: true },
    text("LICENSES.txt", noticesText(parts.notices)),
    ...(platform.startsWith("linux") ? [text("mailstead.service", parts.unit)] : []),
  ]
  const packed = isWindows ? zip(files) : tarGz(files)
  const file = `${stem}${isWindows ? ".zip" : ".tar.gz"}`
  writeFileSync(join(folder, file), packed)
  return { file, ...contentOf(packed), executable: contentOf(bytes) }
}

/** The packages inside with the full text of their licences, as `mailstead licenses` prints them. */
const noticesText = (notices: readonly Notice[]): string =>
  notices
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
    .join(`${"-".repeat(72)}\n`)

const contentOf = (bytes: Uint8Array): Content => ({
  size: bytes.length,
  sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
})

/**
 * Writes the files beside the archives: `install.sh`, `SHA256SUMS` and, with a key, `SHA256SUMS.sig` (the 64 bytes of
 * an Ed25519 signature) and `update.json`, the signed manifest. Returns the names.
 */
export function sealRelease(
  folder: string,
  version: string,
  archives: Readonly<Record<string, Archive>>,
  installer: string,
  key: KeyObject | undefined,
): string[] {
  const names: string[] = []
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content)
    names.push(name)
  }
  write("install.sh", installer.replace("@RELEASE_KEY@", key === undefined ? "" : publicPemOf(key).trim()))
  const sums = Object.values(archives).map(({ file, sha256 }) => `${sha256}  ${file}\n`)
  const list = sums.sort((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1)).join("")
  write("SHA256SUMS", list)
  if (key === undefined) return names
  write("SHA256SUMS.sig", sign(null, Buffer.from(list), key))
  write("update.json", `${JSON.stringify(signManifest({ product: "mailstead", version, archives }, key))}\n`)
  return names
}

export function signManifest(manifest: Manifest, key: KeyObject): SignedManifest {
  const text = JSON.stringify(manifest)
  return { manifest: text, signature: sign(null, Buffer.from(text), key).toString("base64") }
}

/** The unit that the archives contain. */
export const unitOf = (root: string): string => readFileSync(join(root, "config/mailstead.service"), "utf8")
