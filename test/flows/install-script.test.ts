import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { packRelease, publicPemOf, sealRelease } from "../../config/release.ts"
import { ended } from "../harness/processes.ts"
import { scratch } from "../harness/store.ts"

const script = resolve(import.meta.dir, "../../config/install.sh")
const folder = scratch()
const { privateKey: key } = generateKeyPairSync("ed25519")

test("install.sh passes shellcheck as a script for every POSIX shell", () => {
  const { exitCode, stdout } = Bun.spawnSync(["shellcheck", "--shell=sh", script])
  expect([exitCode, stdout.toString()]).toEqual([0, ""])
})

/** Stands for the executable: writes its arguments down. */
const program = `#!/bin/sh\necho "$@" >>"$CALLS"\n`
const architecture = process.arch === "arm64" ? "arm64" : "x64"
const platforms = [`linux-${architecture}`, `linux-${architecture}-musl`]

describe("install.sh", () => {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  let server: Bun.Server<undefined>
  let good: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  beforeAll(() => {
    const at = folder()
    writeFileSync(join(at, "program"), program)
    const built = platforms.map((platform) => {
      const parts = { version: "0.2.0", notices: [], unit: "" }
      return [platform, packRelease(at, { platform, executable: join(at, "program") }, parts)] as const
    })
    const names = sealRelease(at, "0.2.0", Object.fromEntries(built), readFileSync(script, "utf8"), key)
    const all = [...names, ...built.map(([, { file }]) => file)]
    good = new Map(all.map((name) => [name, new Uint8Array(readFileSync(join(at, name)))]))
    server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const bytes = files.get(new URL(request.url).pathname.replace("/releases/", ""))
        return bytes === undefined ? new Response(null, { status: 404 }) : new Response(bytes)
      },
    })
  })
  afterAll(() => server.stop(true))

  /** The script of the release, or the one of the repository, which has no key. */
  async function install(args: readonly string[], { isOurs = true, changed = {} }: Case = {}) {
    files.clear()
    for (const [name, bytes] of good) files.set(name, changed[name]?.(bytes) ?? bytes)
    const root = folder()
    const own = join(root, "install.sh")
    writeFileSync(own, good.get("install.sh") ?? "")
    const calls = join(root, "calls")
    const child = Bun.spawn(["sh", isOurs ? own : script, ...args, "--root", root], {
      env: { PATH: process.env.PATH ?? "", HOME: "/home/ada", CALLS: calls },
      stdout: "pipe",
      stderr: "pipe",
    })
    const ran = await ended(child)
    const called = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []
    return { ...ran, called, root }
  }

  interface Case {
    isOurs?: boolean
    changed?: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>>
  }

  const from = () => ["--from", `http://127.0.0.1:${server.port}/releases/`]
  const flip = (bytes: Uint8Array<ArrayBuffer>) => bytes.map((byte, index) => (index === 20 ? byte ^ 1 : byte))

  test("verifies the release and lets its executable install itself", async () => {
    const { code, stderr, called, root } = await install(from())
    expect([code, stderr]).toEqual([0, ""])
    const url = `http://127.0.0.1:${server.port}/releases/update.json`
    expect(called).toEqual(["version", `service install --update-url ${url} --root ${root}`])
  })

  test.each([
    ["the list of hashes", { SHA256SUMS: flip }, "the signature of SHA256SUMS is wrong"],
    ["the signature", { "SHA256SUMS.sig": flip }, "the signature of SHA256SUMS is wrong"],
    [
      "the archive",
      Object.fromEntries(platforms.map((name) => [`mailstead-0.2.0-${name}.tar.gz`, flip])),
      "is not the file that SHA256SUMS names",
    ],
  ])("installs nothing when %s was changed", async (_, changed, reason) => {
    const { code, stderr, called } = await install(from(), { changed })
    expect([code, called]).toEqual([1, []])
    expect(stderr).toContain(reason)
  })

  test("without a key installs nothing, unless it is named or the lack of a signature accepted", async () => {
    const without = await install(from(), { isOurs: false })
    expect([without.code, without.called]).toEqual([1, []])
    expect(without.stderr).toContain("this install.sh has no key")
    expect((await install([...from(), "--unsigned"], { isOurs: false })).called).toHaveLength(2)
    const pem = join(folder(), "key.pem")
    writeFileSync(pem, publicPemOf(key))
    expect((await install([...from(), "--key", pem], { isOurs: false })).called).toHaveLength(2)
    writeFileSync(pem, publicPemOf(generateKeyPairSync("ed25519").privateKey))
    expect((await install([...from(), "--key", pem])).code).toBe(1)
  })

  test("names what it needs, with exit code 2", async () => {
    for (const args of [[], ["--form", "x"]]) expect((await install(args)).code).toBe(2)
    expect((await install(["--from"])).stderr).not.toBe("")
    expect((await install(["--from", "http://127.0.0.1:1"])).stderr).toContain("SHA256SUMS cannot be fetched")
  })

  test("removes what it has installed", async () => {
    const isRoot = process.getuid?.() === 0
    const root = folder()
    const installed = join(root, isRoot ? "usr/local/bin/mailstead" : "home/ada/.local/bin/mailstead")
    mkdirSync(dirname(installed), { recursive: true })
    writeFileSync(installed, program)
    chmodSync(installed, 0o755)
    const unit = join(root, isRoot ? "etc/systemd/system" : "home/ada/.config/systemd/user", "mailstead.service")
    mkdirSync(dirname(unit), { recursive: true })
    writeFileSync(unit, "")
    const env = { PATH: process.env.PATH ?? "", HOME: "/home/ada", CALLS: join(root, "calls") }
    for (const printed of [`Removed ${installed}\n`, `${installed} is not installed.\n`]) {
      const { exitCode, stdout } = Bun.spawnSync(["sh", script, "--uninstall", "--root", root], { env })
      expect([exitCode, stdout.toString()]).toEqual([0, printed])
    }
    expect(readFileSync(join(root, "calls"), "utf8")).toBe(`service uninstall --root ${root}\n`)
  })
})
