import { generateKeyPairSync } from "node:crypto"
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { packRelease, publicKeyOf, sealRelease } from "../../config/release.ts"

const root = resolve(import.meta.dir, "../..")

/** What is wrong with a release. */
export type Defect =
  | "none"
  /** It runs, but answers nothing. */
  | "mute"
  /** The first of its migrations succeeds, the second fails. */
  | "migration"

/** An executable that is the real program, at this path, under another version. */
export const makeRelease = (folder: string, version: string, program: string): string =>
  executable(
    folder,
    version,
    `globalThis.MAILSTEAD_VERSION = ${JSON.stringify(version)}\nawait import(${JSON.stringify(program)})`,
  )

/**
 * An executable that starts in no time, with the commands that an update calls: `version`, `migrate` with our migrator,
 * `service status`, and `serve`, which answers `/health`. Each version after 0.1.0 has one migration more, and since 0.3.0
 * the unit of systemd is another one.
 */
export const makeSmallRelease = (folder: string, version: string, defect: Defect = "none"): string =>
  executable(
    folder,
    `${version}-${defect}`,
    `import { Database } from "bun:sqlite"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { migrate } from ${src("store/sqlite/migrate.ts")}
const data = process.argv[process.argv.indexOf("--data") + 1]
const list = [{ name: "0001_first", sql: "CREATE TABLE project (name TEXT)" }]
if (${version !== "0.1.0"}) list.push({ name: "0002_second", sql: "CREATE TABLE novelty (x TEXT)" })
if (${defect === "migration"}) list.push({ name: "0003_third", sql: "nonsense" })
function migrated() {
  mkdirSync(data, { recursive: true })
  const client = new Database(data + "/mailstead.db")
  client.run("PRAGMA journal_mode = WAL")
  migrate(client, data + "/mailstead.db", 0, list)
}
switch (process.argv[2]) {
  case "version":
    console.log(${JSON.stringify(JSON.stringify({ version }))})
    break
  case "service":
    console.log(JSON.stringify({ installed: true, current: ${version < "0.3.0"} }))
    break
  case "migrate":
    migrated()
    break
  case "serve":
    migrated()
    if (${defect === "mute"}) setInterval(() => {}, 60_000)
    else {
      const answer = () => Response.json({ status: "ok", version: ${JSON.stringify(version)} })
      const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer })
      writeFileSync(data + "/mailstead.url", "http://127.0.0.1:" + server.port)
      console.log("listening on")
    }
    process.once("SIGTERM", () => {
      rmSync(data + "/mailstead.url", { force: true })
      process.exit(0)
    })
}
`,
  )

const src = (path: string): string => JSON.stringify(join(root, "src", path))

/** A script of the shell that starts Bun with a program. */
function executable(folder: string, name: string, program: string): string {
  mkdirSync(folder, { recursive: true })
  const script = join(folder, `${name}.ts`)
  writeFileSync(script, program)
  const path = join(folder, `mailstead-${name}`)
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

const { privateKey } = generateKeyPairSync("ed25519")
/** The key that the executables of the tests have built in. */
export const builtInKey = publicKeyOf(privateKey)

const parts = { notices: [], unit: "" }

/** A server on loopback with one release for linux-x64, whose files may be changed. */
export function publish(folder: string, version: string, executable: string, key = privateKey) {
  mkdirSync(folder, { recursive: true })
  const archive = packRelease(folder, { platform: "linux-x64", executable }, { ...parts, version })
  const names = [archive.file, ...sealRelease(folder, version, { "linux-x64": archive }, "#!/bin/sh\n", key)]
  const files = new Map(names.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]))
  const [stalled, encoded] = [new Set<string>(), new Set<string>()]
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const name = new URL(request.url).pathname.slice(1)
      const bytes = files.get(name)
      if (bytes === undefined) return new Response("nothing here", { status: 404 })
      const headers: Record<string, string> = encoded.has(name) ? { "Content-Encoding": "gzip" } : {}
      return new Response(stalled.has(name) ? halfOf(bytes) : bytes, { headers })
    },
  })
  return {
    files,
    /** Those of which half is sent, and then nothing more. */
    stalled,
    /** Those that are told as compressed for the way, which some web servers do with each name that ends with .gz. */
    encoded,
    archive: archive.file,
    base: `http://127.0.0.1:${server.port}`,
    url: `http://127.0.0.1:${server.port}/update.json`,
    async stop() {
      await server.stop(true)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const halfOf = (bytes: Uint8Array) =>
  new ReadableStream({ start: (stream) => stream.enqueue(bytes.slice(0, bytes.length / 2)) })

export type Publication = ReturnType<typeof publish>
