import { expect, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { createSecret, openSecret } from "../../src/store/secret.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()

test("each folder gets its own permanent secret, readable by the owner only", () => {
  const [home, other] = [folder(), folder()]
  const signature = openSecret(home).sign("links", "text")
  expect(readFileSync(join(home, "secret"), "utf8")).toMatch(/^[0-9a-f]{64}$/)
  expect((statSync(join(home, "secret")).mode & 0o777).toString(8)).toBe("600")
  expect(openSecret(home).sign("links", "text")).toEqual(signature)
  expect(openSecret(other).sign("links", "text")).not.toEqual(signature)
})

test("a folder that is missing is named", () => {
  const home = join(folder(), "missing")
  expect(() => openSecret(home)).toThrow(
    expect.objectContaining({ code: "STORE_UNUSABLE", message: expect.stringContaining(`${home}/secret`) }),
  )
})

test("a new secret and the mark of the mode are on disk with their names, which a power failure could take", async () => {
  const home = realpathSync(folder())
  const [secret, mode] = ["secret", "mode"].map((name) =>
    JSON.stringify(join(import.meta.dir, `../../src/store/${name}.ts`)),
  )
  const at = JSON.stringify(home)
  const script = `import { openSecret } from ${secret}; import { keepMode } from ${mode}
    keepMode(${at}, "serve"); openSecret(${at})`
  const trace = join(folder(), "trace")
  const strace = ["strace", "-f", "-y", "-e", "trace=fsync", "-o", trace]
  const child = Bun.spawnSync([...strace, process.execPath, "-e", script])
  expect([child.exitCode, child.stderr.toString()]).toEqual([0, ""])
  const synced = [...readFileSync(trace, "utf8").matchAll(/fsync\(\d+<(.*?)>/g)].map(([, path]) => path)
  expect(synced).toEqual([join(home, "mode.new"), home, join(home, "secret.new"), home])
  expect(readdirSync(home).sort()).toEqual(["mode", "secret"])
})

test.each([
  ["nothing", ""],
  ["a digit too few", "a".repeat(63)],
  ["a digit too many", "a".repeat(65)],
  ["other letters", "g".repeat(64)],
])("a secret file that holds %s is refused and not replaced", (_, text) => {
  const path = join(folder(), "secret")
  writeFileSync(path, text)
  expect(() => openSecret(join(path, ".."))).toThrow(
    expect.objectContaining({ code: "STORE_UNUSABLE", message: expect.stringContaining(path) }),
  )
  expect(readFileSync(path, "utf8")).toBe(text)
})

test("a missing secret is not replaced while something is sealed with it, and no other is taken for it", () => {
  const [home, other] = [folder(), folder()]
  const sealed = openSecret(home).seal("sk_live")
  const path = join(home, "secret")
  const own = readFileSync(path, "utf8")
  rmSync(path)
  expect(() => openSecret(home, sealed)).toThrow(`${path} is missing`)
  expect(existsSync(path)).toBe(false)
  openSecret(other)
  copyFileSync(join(other, "secret"), path)
  expect(() => openSecret(home, sealed)).toThrow(`${path} is not the secret`)
  writeFileSync(path, own)
  expect(openSecret(home, sealed).open(sealed)).toBe("sk_live")
})

test("a line break after the secret is accepted", () => {
  const home = folder()
  writeFileSync(join(home, "secret"), `${"ab".repeat(32)}\n`)
  expect(openSecret(home).sign("x", "y")).toEqual(createSecret(Buffer.alloc(32, 0xab)).sign("x", "y"))
})

test("a secret that could not be written whole leaves no file behind", async () => {
  const home = folder()
  const source = join(import.meta.dir, "../../src/store/secret.ts")
  const script = `import { openSecret } from ${JSON.stringify(source)}; openSecret(${JSON.stringify(home)})`
  // A limit of no blocks per file, with the signal of it ignored, makes every write fail as on a full disk.
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" -e "$1"`
  const child = Bun.spawnSync(["sh", "-c", limited, process.execPath, script])
  expect([child.exitCode, child.stderr.toString()]).toEqual([1, expect.stringContaining("secret: file too large.")])
  expect(existsSync(join(home, "secret"))).toBe(false)
  openSecret(home)
})

test("signatures hold for their purpose, their text and their whole length only", () => {
  const secret = createSecret(Buffer.alloc(32, 1))
  const signature = secret.sign("links", "text")
  expect(secret.verify("links", "text", signature)).toBe(true)
  expect(secret.verify("session", "text", signature)).toBe(false)
  expect(secret.verify("links", "texts", signature)).toBe(false)
  expect(secret.verify("links", "text", signature.subarray(0, 16))).toBe(false)
  for (let at = 0; at < signature.length; at++) {
    const bent = Buffer.from(signature)
    bent[at] = (bent[at] ?? 0) ^ 1
    expect(secret.verify("links", "text", bent)).toBe(false)
  }
})

test.each(["", "sk_live", "ünïcode ✉", "x".repeat(10_000)])(
  "what is sealed opens again, and looks different each time",
  (text) => {
    const secret = createSecret(Buffer.alloc(32, 1))
    const [once, twice] = [secret.seal(text), secret.seal(text)]
    expect([secret.open(once), secret.open(twice)]).toEqual([text, text])
    expect(once).not.toBe(twice)
    if (text !== "") expect(once).not.toContain(Buffer.from(text).toString("base64").slice(0, 8))
  },
)

test("sealed text that was altered, truncated, or made with another secret cannot be opened", () => {
  const secret = createSecret(Buffer.alloc(32, 1))
  const sealed = Buffer.from(secret.seal("sk_live"), "base64")
  for (let at = 0; at < sealed.length; at++) {
    const bent = Buffer.from(sealed)
    bent[at] = (bent[at] ?? 0) ^ 1
    expect(() => secret.open(bent.toString("base64"))).toThrow()
  }
  expect(() => secret.open(sealed.subarray(0, -1).toString("base64"))).toThrow()
  expect(() => secret.open("")).toThrow()
  expect(() => createSecret(Buffer.alloc(32, 2)).open(sealed.toString("base64"))).toThrow()
})
