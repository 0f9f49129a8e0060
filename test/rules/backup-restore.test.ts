import { Database } from "bun:sqlite"
import { beforeAll, describe, expect, test } from "bun:test"
import {
  closeSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { nilId } from "../../src/kernel/ids.ts"
import { readArchive, writeArchive } from "../../src/store/backup/archive.ts"
import { takeBackup } from "../../src/store/backup/take.ts"
import { migrations } from "../../src/store/migrations/index.ts"
import { openSecret } from "../../src/store/secret.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { backUp, fillFolder, inDatabase, namesIn, restore } from "../harness/backups.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const passphrase = "correct horse"
let data: string
let plain: string
let sealed: string

beforeAll(async () => {
  const home = folder()
  data = join(home, "data")
  mkdirSync(data)
  await fillFolder(data, 1)
  plain = join(home, "plain.tar.zst")
  sealed = join(home, "sealed")
  await backUp(data, plain)
  await backUp(data, sealed, { passphrase, withSecret: true })
})

const secretFile = () => join(data, "secret")
const within = <T>(at: string, work: Parameters<typeof withModules<T>>[1]): Promise<T> =>
  withModules(loadConfig({ options: { data: at } }).config, work)
const projectsIn = (at: string) => within(at, ({ projects }) => projects.list())

describe("a backup", () => {
  test("is a new file that only its owner can read", async () => {
    expect(statSync(plain).mode & 0o777).toBe(0o600)
    const before = readFileSync(plain)
    expect(backUp(data, plain)).rejects.toThrow(`${plain} exists`)
    expect(readFileSync(plain).equals(before)).toBe(true)
  })

  test("follows no link, not even one that leads nowhere", async () => {
    const at = folder()
    symlinkSync(join(at, "nowhere"), join(at, "link"))
    await expect(backUp(data, join(at, "link"))).rejects.toThrow("link exists")
    symlinkSync(join(at, "nowhere"), join(at, "other.part"))
    await expect(backUp(data, join(at, "other"))).rejects.toThrow("other.part is there")
    expect(namesIn(at)).toEqual(["link", "other.part"])
  })

  test("has the secret of the data folder only when that is asked for, and encrypted", async () => {
    const secret = readFileSync(secretFile(), "utf8")
    const names = Bun.spawnSync(["tar", "--zstd", "-tf", plain]).stdout.toString()
    expect(names).toContain("mailstead.db")
    expect(names).not.toContain("secret")
    expect(readFileSync(sealed).includes(secret)).toBe(false)
    await expect(backUp(data, join(folder(), "b"), { withSecret: true })).rejects.toThrow("encrypted backups only")
  })

  test("has the account and the certificate of ACME only when it is encrypted, and a restore gives them back", async () => {
    const source = join(folder(), "data")
    cpSync(data, source, { recursive: true })
    mkdirSync(join(source, "tls"))
    const names = ["account.pem", "attempts.json", "certificate.pem"]
    for (const name of names) writeFileSync(join(source, "tls", name), `the content of ${name}`, { mode: 0o600 })
    const [open, closed, at] = ["open", "closed", "new"].map((name) => join(folder(), name)) as [string, string, string]
    await backUp(source, open)
    expect(Bun.spawnSync(["tar", "--zstd", "-tf", open]).stdout.toString()).not.toContain("tls")
    await backUp(source, closed, { passphrase })
    await restore(closed, at, { passphrase, secretFile: secretFile() })
    expect(readdirSync(join(at, "tls")).sort()).toEqual(["account.pem", "certificate.pem"])
    expect(readFileSync(join(at, "tls/certificate.pem"), "utf8")).toBe("the content of certificate.pem")
    expect([statSync(join(at, "tls")).mode & 0o777, statSync(join(at, "tls/account.pem")).mode & 0o777]).toEqual([
      0o700, 0o600,
    ])
  })

  test("of what is no database, and into a folder that is not there, names the path that was given", async () => {
    const source = folder()
    for (const name of ["mode", "mailstead.db"]) writeFileSync(join(source, name), "serve")
    cpSync(secretFile(), join(source, "secret"))
    await expect(backUp(source, join(folder(), "b"))).rejects.toThrow(`${source}/mailstead.db: file is not a database.`)
    const target = join(folder(), "no", "b")
    await expect(backUp(data, target)).rejects.toThrow(
      `${target}: no such file or directory. Check that the folder that it is in exists.`,
    )
  })

  test("is taken of the database of every earlier version as it is, and only with its own secret", async () => {
    const at = folder()
    const secret = openSecret(at)
    const path = join(at, "mailstead.db")
    const own = ["01a2227f-c1d7-76fd-8987-d653bc676f19", secret.seal("sk_1")]
    for (let level = 1; level <= migrations.length; level++) {
      const client = new Database(path)
      migrate(client, path, 0, migrations.slice(0, level))
      // The first is the one for mail of the service itself.
      for (const [id, sealed] of level === 1 ? [[nilId, ""], own] : [])
        client.run(
          "INSERT INTO project (id, name, public_key, secret_hash, secret_sealed, created_at, updated_at) VALUES (?, 'Acme', ?, ?, ?, 0, 0)",
          [id ?? "", id ?? "", id ?? "", sealed ?? ""],
        )
      client.close()
      await backUp(at, join(at, `backup-${level}`))
    }
    inDatabase(at, (db) => db.run("UPDATE project SET secret_sealed = 'no' WHERE secret_sealed <> ''"))
    await expect(backUp(at, join(at, "other"))).rejects.toThrow("is not the secret")
  })

  test.each([
    ["with dangling references", breakReferences, "lack their project"],
    ["with a broken index", breakIndex, "restore an earlier one"],
  ] as const)(
    "is not taken of a database %s, which a restore would refuse (contract A8.1)",
    async (_, change, text) => {
      const [copy, at] = [join(folder(), "copy"), folder()]
      cpSync(data, copy, { recursive: true })
      change(copy)
      await expect(backUp(copy, join(at, "b"))).rejects.toThrow(text)
      expect(namesIn(at)).toEqual([])
    },
  )

  test("stops at once when it is told to while the database is checked, which takes seconds per gigabyte", async () => {
    const [copy, at] = [join(folder(), "copy"), folder()]
    cpSync(data, copy, { recursive: true })
    breakIndex(copy)
    const stop = new AbortController()
    const options = { folder: copy, target: join(at, "b"), passphrase, withSecret: false, abort: stop.signal }
    // The last that is asked before the check.
    const findSealed = async () => void setImmediate(() => stop.abort())
    await expect(takeBackup(options, { clock: systemClock, findSealed })).rejects.toThrow("The backup was stopped.")
    expect(namesIn(at)).toEqual([])
  })

  test("of a folder without data is refused", async () => {
    const at = folder()
    await expect(backUp(at, join(at, "b"))).rejects.toThrow("holds no data of Mailstead")
    expect(namesIn(at)).toEqual([])
  })
})

describe("a restore", () => {
  test("gives back the database, the files and the mode, for the owner only, and pauses sending", async () => {
    const at = join(folder(), "new")
    expect(await restore(sealed, at, { passphrase })).toMatchObject({ mode: "serve", encrypted: true, isPaused: true })
    expect(namesIn(at)).toEqual(["files", "mailstead.db", "mode", "secret", "sending-paused"])
    expect(readFileSync(join(at, "secret"))).toEqual(readFileSync(secretFile()))
    const modes = ["", "mailstead.db", "secret", "files"].map((name) => statSync(join(at, name)).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o700])
    expect(await projectsIn(at)).toEqual(await projectsIn(data))
  })

  test("takes the secret of the old folder for a backup without it, and no other", async () => {
    const at = join(folder(), "new")
    await expect(restore(plain, at)).rejects.toThrow("without the secret of its data folder")
    const other = join(folder(), "secret")
    writeFileSync(other, "0".repeat(64))
    await expect(restore(plain, at, { secretFile: other })).rejects.toThrow("is not the secret of")
    expect(namesIn(at)).toEqual([])
    await restore(plain, at, { secretFile: secretFile() })
    expect(namesIn(at)).toContain("secret")
  })

  test("without the secret, when that is lost, gives projects new secret keys and domains new DKIM keys", async () => {
    const [source, at] = [join(folder(), "data"), join(folder(), "new")]
    const { id, publicKey, secret } = await fillFolder(source)
    const add = (name: string, vouched: boolean) => within(source, ({ domains }) => domains.add(id, name, { vouched }))
    await add("acme.test", false)
    await add("vouched.test", true)
    const before = await within(source, ({ domains }) => domains.list(id))
    inDatabase(source, (db) => db.run("UPDATE domain SET verified = 1, status = 'VERIFIED', misses = 2"))
    const file = join(folder(), "backup")
    await backUp(source, file)

    await restore(file, at, { newSecret: true })
    expect(namesIn(at)).toEqual(["files", "mailstead.db", "mode", "secret", "sending-paused"])
    const [project] = await projectsIn(at)
    expect([project?.id, project?.publicKey]).toEqual([id, publicKey])
    const found = await within(at, ({ projects }) =>
      Promise.all([project?.secret ?? "", secret].map((key) => projects.projectOfKey("secret", key))),
    )
    expect(found.map((one) => one?.id)).toEqual([id, undefined])
    const after = await within(at, ({ domains }) => domains.list(id))
    expect(Object.fromEntries(after.map(({ domain: { domain, verified } }) => [domain, verified]))).toEqual({
      "acme.test": false,
      "vouched.test": true,
    })
    const dkim = (domains: typeof after) =>
      domains.map(({ records }) => records.find(({ purpose }) => purpose === "DKIM")?.value)
    expect(dkim(after).filter((value) => value === undefined || dkim(before).includes(value))).toEqual([])
  })

  test("without the secret takes the database of the first version too, and a secret that is there stays in use", async () => {
    const [old, at] = [folder(), join(folder(), "new")]
    const secret = openSecret(old)
    const path = join(old, "mailstead.db")
    const client = new Database(path)
    migrate(client, path, 0, migrations.slice(0, 1))
    client.run(
      "INSERT INTO project (id, name, public_key, secret_hash, secret_sealed, created_at, updated_at) VALUES ('01a2227f-c1d7-76fd-8987-d653bc676f19', 'Acme', 'pk', 'hash', ?, 0, 0)",
      [secret.seal("sk_1")],
    )
    client.close()
    const file = join(folder(), "backup")
    await backUp(old, file)
    await restore(file, at, { newSecret: true })
    expect(namesIn(at)).toEqual(["mailstead.db", "mode", "secret", "sending-paused"])
    expect((await projectsIn(at)).map(({ name, secret }) => [name, secret.slice(0, 3)])).toEqual([["Acme", "sk_"]])

    const other = join(folder(), "new")
    await restore(sealed, other, { passphrase, newSecret: true })
    expect(await projectsIn(other)).toEqual(await projectsIn(data))
  })

  test("goes into the root of an empty file system, where that keeps what it recovers", async () => {
    const at = folder()
    mkdirSync(join(at, "lost+found"))
    await restore(sealed, at, { passphrase, newSecret: true })
    expect(namesIn(at)).toContain("lost+found")
    expect(await projectsIn(at)).toEqual(await projectsIn(data))
  })

  test("goes into an empty folder only, and leaves any other as it is", async () => {
    const at = folder()
    writeFileSync(join(at, "notes.txt"), "mine")
    await expect(restore(sealed, at, { passphrase })).rejects.toThrow("is not empty (it has notes.txt)")
    expect(namesIn(at)).toEqual(["notes.txt"])
    await expect(restore(sealed, data, { passphrase })).rejects.toThrow("is not empty")
    const file = join(folder(), "file")
    writeFileSync(file, "")
    await expect(restore(sealed, file, { passphrase })).rejects.toThrow(file)
    expect(readFileSync(file, "utf8")).toBe("")
  })

  test.each([
    ["needs its passphrase", () => sealed, {}, "is encrypted: give its passphrase"],
    ["needs the right passphrase", () => sealed, { passphrase: "wrong" }, "not that of this backup"],
    ["refuses a file cut off", () => changed(sealed, (bytes) => bytes.subarray(0, -20)), { passphrase }, "damaged"],
    ["refuses a plain one cut off", () => changed(plain, (bytes) => bytes.subarray(0, 9_000)), {}, "damaged"],
    ["refuses a file with a changed byte", () => changed(plain, flipped), {}, "damaged"],
    ["refuses another file", () => changed(plain, () => Buffer.from("Dear diary")), {}, "is not a backup of Mailstead"],
    ["refuses an empty file", () => changed(plain, () => Buffer.alloc(0)), {}, "is not a backup of Mailstead"],
    ["refuses a file that is not there", () => join(folder(), "no"), {}, "There is no file "],
    [
      "refuses a backup without its secret",
      () => plain,
      { secretFile: undefined },
      "without the secret of its data folder",
    ],
    [
      "refuses a secret that is not there",
      () => plain,
      { secretFile: "/nowhere/secret" },
      "There is no file /nowhere/secret.",
    ],
  ] as const)("%s, leaves the folder empty, and leaves none that it has made", async (_, file, options, text) => {
    const empty = folder()
    for (const at of [empty, join(empty, "in", "new")]) {
      await expect(restore(file(), at, { secretFile: secretFile(), ...options })).rejects.toThrow(text)
      expect(namesIn(empty)).toEqual([])
    }
    expect(existsSync(join(empty, "in"))).toBe(false)
  })

  test.each([
    [
      "of a newer version",
      (copy: string) => inDatabase(copy, (db) => db.run("INSERT INTO migration VALUES ('9999_more', 'x', 0)")),
      "made by a newer version of Mailstead",
    ],
    ["with dangling references", breakReferences, "lack their project"],
    ["with a broken index", breakIndex, "The database in the backup: "],
  ] as const)("refuses a database %s, and leaves the folder empty", async (_, change, text) => {
    const copy = join(folder(), "copy")
    cpSync(data, copy, { recursive: true })
    change(copy)
    const [file, at] = [join(folder(), "b"), join(folder(), "new")]
    await replaceDatabase(plain, file, join(copy, "mailstead.db"))
    await expect(restore(file, at, { secretFile: secretFile() })).rejects.toThrow(text)
    expect(namesIn(at)).toEqual([])
  })

  test.each<[string, string, (text: string) => string | undefined]>([
    ["whose mode is not that of its head, on which the pause of sending depends", "mode", () => "sandbox"],
    ["without a mode", "mode", () => undefined],
    ["without a database", "mailstead.db", () => undefined],
    ["of no version", "backup.json", (text) => text.replace(/"version":"/, "$&\\u001b[31m")],
    ["of no time", "backup.json", (text) => text.replace(/"takenAt":"/, "$&(\\u001b[31m)")],
    ["with a clock that has no time", "backup.json", (text) => text.replace(/^\{/, '{"clock":"soon",')],
  ])("refuses a crafted backup %s", async (_, entry, change) => {
    const [file, at] = [join(folder(), "b"), join(folder(), "new")]
    await changeEntries(plain, file, (name, bytes) => {
      if (name !== entry) return bytes
      const text = change(Buffer.from(bytes).toString("latin1"))
      return text === undefined ? undefined : Buffer.from(text, "latin1")
    })
    await expect(restore(file, at, { secretFile: secretFile() })).rejects.toThrow("is damaged: it was changed")
    expect(namesIn(at)).toEqual([])
  })

  test("that was interrupted keeps everybody else out, and starts anew", async () => {
    const at = folder()
    mkdirSync(join(at, "restoring"))
    writeFileSync(join(at, "mode"), "serve")
    for (const name of ["mailstead.db", "restoring/mailstead.db"]) writeFileSync(join(at, name), "half")
    await expect(projectsIn(at)).rejects.toThrow("has not ended")
    await expect(backUp(at, join(folder(), "b"))).rejects.toThrow("has not ended")
    await restore(sealed, at, { passphrase })
    expect(await projectsIn(at)).toEqual(await projectsIn(data))
  })
})

/** A changed copy of a backup. */
function changed(file: string, change: (bytes: Buffer) => Uint8Array): string {
  const path = join(folder(), "changed")
  writeFileSync(path, change(readFileSync(file)))
  return path
}

function flipped(bytes: Buffer): Buffer {
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 16
  return bytes
}

/** A backup with another database in it, as earlier versions have taken them of damaged ones, too. */
const replaceDatabase = (file: string, to: string, database: string): Promise<void> =>
  changeEntries(file, to, (name, bytes) => (name === "mailstead.db" ? readFileSync(database) : bytes))

/** A whole backup with other entries: those for which `change` has nothing are left out. */
async function changeEntries(
  file: string,
  to: string,
  change: (name: string, bytes: Uint8Array) => Uint8Array | undefined,
): Promise<void> {
  const entries: [string, Uint8Array][] = []
  await readArchive(createReadStream(file), undefined, async (name, content) => {
    entries.push([name, Buffer.concat(await Array.fromAsync(content))])
  })
  async function* replaced() {
    for (const [name, found] of entries) {
      const bytes = change(name, found)
      if (bytes !== undefined) yield { name, bytes: bytes.length, content: Readable.from([bytes]) }
    }
  }
  await writeArchive(replaced(), undefined, async (bytes) => {
    writeFileSync(to, Buffer.concat(await Array.fromAsync(bytes)))
  })
}

function breakReferences(copy: string): void {
  inDatabase(copy, (db) => {
    db.run("PRAGMA foreign_keys = OFF")
    db.run("DELETE FROM project")
  })
}

/** Takes the rows out of an index: the number of cells of its only page (SQLite file format, 1.6). */
function breakIndex(copy: string): void {
  const page = inDatabase(copy, (db) => {
    db.run("INSERT INTO backup VALUES ('x', 'x', 'FAILED', 0, 0, NULL, NULL, 0, 0)")
    return db.query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_schema WHERE name = 'backup_time'").get()
  })
  const file = openSync(join(copy, "mailstead.db"), "r+")
  writeSync(file, Uint8Array.of(0, 0), 0, 2, ((page?.rootpage ?? 0) - 1) * 4_096 + 3)
  closeSync(file)
}
