import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../package.json"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
beforeEach(() => {
  place = emptyPlace()
})
afterEach(() => place.remove())

describe("the executable", () => {
  test("prints its version", async () => {
    expect(await place.run(["version"])).toEqual({ code: 0, stdout: `mailstead ${version}\n`, stderr: "" })
    const { stdout } = await place.run(["version", "--json"])
    expect(JSON.parse(stdout)).toMatchObject({ version, bun: Bun.version })
  })

  test("prints the licences of its packages", async () => {
    const { code, stdout } = await place.run(["licenses", "--json"])
    const { packages }: { packages: Record<"name" | "version" | "license" | "text", string>[] } = JSON.parse(stdout)
    const names = packages.map(({ name }) => name)
    expect(code).toBe(0)
    expect(names).toEqual(expect.arrayContaining(["elysia", "drizzle-orm", "nodemailer", "handlebars", "react"]))
    expect(names).not.toContain("typescript")
    expect(names).toContain("bun")
    expect(packages.filter(({ text }) => text.length < 500).map(({ name }) => name)).toEqual([])
    const textOf = (wanted: string) => packages.find(({ name }) => name === wanted)?.text
    for (const name of ["elysia", "@scalar/api-reference"])
      expect(textOf(name)).toContain("Permission is hereby granted")
    expect(textOf("drizzle-orm")).toContain("END OF TERMS AND CONDITIONS")
    expect(textOf("bun")).toContain("GNU LIBRARY GENERAL PUBLIC LICENSE")
    expect(new Set(packages.map(({ name, version }) => `${name} ${version}`)).size).toBe(packages.length)
    const { stdout: text } = await place.run(["licenses"])
    // More than a pipe takes at a time: an early exit would show in some of many runs.
    const piped = await Promise.all(Array.from({ length: 10 }, () => place.piped("licenses")))
    expect(piped.map((one) => one === text)).toEqual(piped.map(() => true))
    for (const { name, version, license } of packages) expect(text).toContain(`\n${name} ${version} (${license})\n`)
  })

  test("explains every command it lists", async () => {
    const { stdout } = await place.run(["--help"])
    for (const command of [
      "serve",
      "sandbox",
      "project create",
      "project list",
      "project disable",
      "user create",
      "user list",
      "user password",
      "setup-link",
      "domain add",
      "domain rotate-key",
      "analytics rebuild",
      "service install",
      "service uninstall",
      "service status",
      "health",
      "migrate",
      "update",
      "backup",
      "restore",
      "resume",
      "version",
      "licenses",
    ]) {
      expect(stdout).toContain(command)
      const help = await place.run([...command.split(" "), "--help"])
      expect([help.code, help.stdout.startsWith(`Usage: mailstead ${command}`)]).toEqual([0, true])
    }
  })

  test("answers wrong usage with exit code 2 and a suggestion", async () => {
    const wrong = await place.run(["serv"])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain("serve")
  })

  test("reports all faults of a configuration at once", async () => {
    writeFileSync(join(place.folder, "bad.toml"), '[http]\nport = "no"\nprot = 1\n[mail]\nurl = "gopher://x"\n')
    const { code, stderr } = await place.run(["serve", "--config", "bad.toml"])
    expect(code).toBe(2)
    for (const path of ["http.port", "http.prot", "mail.url"]) expect(stderr).toContain(path)
  })

  test("installed below another root says what is left to do there, for the machine and for a person (contract A8.1)", async () => {
    for (const [user, todo] of [
      [0, ["useradd --system", "systemctl enable mailstead"]],
      [1_000, ["systemctl --user enable mailstead"]],
    ] as const) {
      const other = emptyPlace(["/usr/bin/unshare", "--user", `--map-user=${user}`])
      const root = join(other.folder, "root")
      const { code, stdout } = await other.run(["service", "install", "--root", root], { HOME: "/home/ada" })
      expect(code).toBe(0)
      const commands = stdout.match(/^ {2}\S.*$/gm) ?? []
      for (const command of todo) expect(commands.join("\n")).toContain(command)
      expect(stdout.includes("useradd")).toBe(user === 0)
      other.remove()
    }
  })

  test("creates projects in a data folder that only its owner can read", async () => {
    const created = JSON.parse((await place.run(["project", "create", "Shop", "--json"])).stdout)
    expect(created).toMatchObject({ name: "Shop" })
    expect(created.secret).toMatch(/^sk_[0-9a-f]{64}$/)
    expect(created.public).toMatch(/^pk_[0-9a-f]{64}$/)
    const listed = JSON.parse((await place.run(["project", "list", "--json"])).stdout)
    expect(listed).toEqual([
      { id: created.id, name: "Shop", public: created.public, disabled: false, createdAt: listed[0].createdAt },
    ])
    const mode = (path: string) => statSync(join(place.folder, path)).mode & 0o777
    expect([mode("data"), mode("data/mailstead.db"), mode("data/secret")]).toEqual([0o700, 0o600, 0o600])
  })

  test("backs up a data folder, encrypted, and restores it", async () => {
    const { id } = JSON.parse((await place.run(["project", "create", "Kept", "--json"])).stdout)
    const env = { MAILSTEAD_BACKUP_PASSPHRASE: "correct horse" }
    const taken = await place.run(["backup", "kept", "--with-secret", "--json"], env)
    expect(JSON.parse(taken.stdout)).toMatchObject({ file: join(place.folder, "kept"), encrypted: true, secret: true })
    const again = await place.run(["backup", "kept"])
    expect([again.code, again.stderr.includes("exists")]).toEqual([1, true])
    const restored = await place.run(["restore", "kept", "--data", "restored", "--json"], env)
    expect(JSON.parse(restored.stdout)).toMatchObject({ data: "restored", paused: true })
    expect((await place.run(["project", "list", "--data", "restored"])).stdout).toContain(id)
    expect((await place.run(["resume", "--data", "restored"])).stdout).toBe("Sending is resumed.\n")
  })

  test("marks a domain as verified for the operator", async () => {
    const { id } = JSON.parse((await place.run(["project", "create", "Mail", "--json"])).stdout)
    const added = await place.run(["domain", "add", "Acme.test", "--project", id, "--verified", "--json"])
    expect(JSON.parse(added.stdout)).toMatchObject({ domain: "acme.test", verified: true, status: "VERIFIED" })
    const again = await place.run(["domain", "add", "acme.test", "--project", id, "--verified", "--json"])
    expect(again.stdout).toBe(added.stdout)
    const unknown = await place.run(["domain", "add", "b.test", "--project", "0199c0de-0000-7000-8000-000000000001"])
    expect([unknown.code, unknown.stderr.includes("not found")]).toEqual([1, true])
  })
})
