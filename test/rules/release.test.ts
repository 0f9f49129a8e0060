import { beforeAll, describe, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { tarGz, zip } from "../../config/archives.ts"
import { packRelease, publicKeyOf, publicPemOf, sealRelease, signingKey, signManifest } from "../../config/release.ts"
import { archiveFor, openManifest } from "../../src/net/release/manifest.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const run = (command: string[], cwd: string) =>
  Bun.spawnSync(command, { cwd, env: { PATH: process.env.PATH ?? "", TZ: "UTC" } })
const bytes = (text: string) => new TextEncoder().encode(text)
const { privateKey: key } = generateKeyPairSync("ed25519")
const notice = { name: "left-pad", version: "1.0.0", license: "MIT", text: "Permission is hereby granted" }

describe("the archives of a release", () => {
  const program = bytes("#!/bin/sh\n".repeat(200))
  let at = ""
  let archives: Record<string, ReturnType<typeof packRelease>>
  beforeAll(() => {
    at = folder()
    writeFileSync(join(at, "program"), program)
    const parts = { version: "0.2.0", notices: [notice], unit: "[Unit]\n" }
    archives = Object.fromEntries(
      ["linux-x64", "darwin-arm64", "windows-x64"].map((platform) => [
        platform,
        packRelease(at, { platform, executable: join(at, "program") }, parts),
      ]),
    )
    sealRelease(at, "0.2.0", archives, 'key="@RELEASE_KEY@"\n', key)
  })

  test("unpack with the tools of the system, the executable first", () => {
    expect(run(["tar", "-xzf", archives["linux-x64"]?.file ?? ""], at).exitCode).toBe(0)
    const unpacked = join(at, "mailstead-0.2.0-linux-x64")
    expect(readdirSync(unpacked).sort()).toEqual(["LICENSES.txt", "mailstead", "mailstead.service"])
    expect(statSync(join(unpacked, "mailstead")).mode & 0o777).toBe(0o755)
    expect(readFileSync(join(unpacked, "mailstead"))).toEqual(Buffer.from(program))
    expect(readFileSync(join(unpacked, "LICENSES.txt"), "utf8")).toContain("left-pad 1.0.0 (MIT)\n\nPermission")
    const listed = run(["tar", "-tzf", archives["darwin-arm64"]?.file ?? ""], at).stdout.toString()
    expect(listed.split("\n").filter(Boolean)).toEqual([
      "mailstead-0.2.0-darwin-arm64/mailstead",
      "mailstead-0.2.0-darwin-arm64/LICENSES.txt",
    ])
    const zipped = new Bun.Glob("*.zip").scanSync({ cwd: at }).next().value
    const names = run([process.execPath, "-e", listZip, join(at, zipped)], process.cwd()).stdout.toString()
    expect(JSON.parse(names)).toEqual([
      "mailstead-0.2.0-windows-x64/mailstead.exe",
      "mailstead-0.2.0-windows-x64/LICENSES.txt",
    ])
  })

  const listZip =
    "const { unzipSync } = await import('fflate'); console.log(JSON.stringify(Object.keys(unzipSync(await Bun.file(process.argv.at(-1)).bytes()))))"

  test("are the same for the same files, whenever they are made", () => {
    const files = [{ path: "a/b", bytes: program, isExecutable: true }]
    expect(tarGz(files)).toEqual(tarGz(files))
    expect(zip(files)).toEqual(zip(files))
    const header = run(["tar", "-tvzf", archives["linux-x64"]?.file ?? ""], at).stdout.toString()
    expect(header.split("\n")[0]).toMatch(/^-rwxr-xr-x 0\/0 +2000 1980-01-01 00:00 /)
  })

  test("have hashes that sha256sum confirms, and a signature that openssl confirms", () => {
    expect(run(["sha256sum", "-c", "SHA256SUMS"], at).exitCode).toBe(0)
    writeFileSync(join(at, "key.pem"), publicPemOf(key))
    const verify = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key.pem", "-rawin"]
    expect(run([...verify, "-in", "SHA256SUMS", "-sigfile", "SHA256SUMS.sig"], at).exitCode).toBe(0)
    writeFileSync(join(at, "other"), "0000")
    expect(run([...verify, "-in", "other", "-sigfile", "SHA256SUMS.sig"], at).exitCode).not.toBe(0)
  })

  test("are in a manifest that the executables accept, and install.sh knows the key", () => {
    const manifest = openManifest(readFileSync(join(at, "update.json"), "utf8"), publicKeyOf(key))
    expect(archiveFor(manifest, "linux-x64", "0.1.9")).toEqual(archives["linux-x64"] as never)
    expect(readFileSync(join(at, "install.sh"), "utf8")).toStartWith('key="-----BEGIN PUBLIC KEY-----\n')
  })

  test("without a key have hashes only", () => {
    const plain = folder()
    expect(sealRelease(plain, "0.2.0", archives, 'key="@RELEASE_KEY@"\n', undefined)).toEqual([
      "install.sh",
      "SHA256SUMS",
    ])
    expect(existsSync(join(plain, "update.json"))).toBe(false)
    expect(readFileSync(join(plain, "install.sh"), "utf8")).toBe('key=""\n')
  })
})

describe("the signing key", () => {
  const pem = key.export({ format: "pem", type: "pkcs8" }).toString()
  const file = folder()

  test("is a text, a file, or not there", () => {
    writeFileSync(join(file, "key.pem"), pem)
    for (const given of [pem, join(file, "key.pem")]) {
      const read = signingKey(given)
      expect(read && publicKeyOf(read)).toBe(publicKeyOf(key))
    }
    expect([signingKey(undefined), signingKey(" ")]).toEqual([undefined, undefined])
  })

  test("of another kind is refused", () => {
    const rsa = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "pem", type: "pkcs8" })
    expect(() => signingKey(rsa.toString())).toThrow("is not an Ed25519 key")
  })
})

describe("a manifest", () => {
  const content = { size: 10, sha256: "0".repeat(64) }
  const archive = { file: "a.tar.gz", ...content, executable: content }
  const sealed = (manifest: unknown) => JSON.stringify(signManifest(manifest as never, key))
  const good = { product: "mailstead", version: "0.2.0", archives: { "linux-x64": archive } } as const
  const open = (text: string) => openManifest(text, publicKeyOf(key))

  test("is refused when one byte of it or of its signature differs, or another key signed it", () => {
    const { manifest, signature } = signManifest(good, key)
    const flipped = Buffer.from(signature, "base64")
    flipped[0] = (flipped[0] ?? 0) ^ 1
    const forged = signManifest(good, generateKeyPairSync("ed25519").privateKey)
    for (const broken of [
      { manifest: manifest.replace("0.2.0", "0.2.1"), signature },
      { manifest, signature: flipped.toString("base64") },
      { manifest, signature: "" },
      forged,
    ])
      expect(() => open(JSON.stringify(broken))).toThrow("The signature of the manifest is wrong")
    expect(open(sealed(good))).toEqual(good)
  })

  test.each([
    ["another product", { ...good, product: "other" }],
    ["no version", { ...good, version: "latest" }],
    ["a path as the name of an archive", { ...good, archives: { "linux-x64": { ...archive, file: "../a" } } }],
    ["a hash that is none", { ...good, archives: { "linux-x64": { ...archive, sha256: "x" } } }],
    ["no executable", { ...good, archives: { "linux-x64": { ...archive, executable: undefined } } }],
  ])("that is signed and has %s is refused", (_, manifest) => {
    expect(() => open(sealed(manifest))).toThrow("of a form that this version does not know")
  })

  test.each(["", "null", "[]", '{"manifest":1,"signature":""}', "<html>"])("is not %p", (text) => {
    expect(() => open(text)).toThrow("is no signed manifest")
  })

  test("is refused by the same and by newer versions, and where it has no archive", () => {
    for (const running of ["0.2.0", "0.2.1", "1.0.0"])
      expect(() => archiveFor(good, "linux-x64", running)).toThrow(`not newer than this version, ${running}`)
    for (const running of ["0.1.9", "0.2.0-rc.1"]) expect(archiveFor(good, "linux-x64", running)).toEqual(archive)
    for (const platform of ["linux-arm64", "toString", "__proto__"])
      expect(() => archiveFor(good, platform, "0.1.0")).toThrow(`has no archive for ${platform}`)
  })
})
