import type { KeyObject } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { version } from "../package.json" with { type: "json" }
import { physicalSides } from "../src/http/dashboard-styles.ts"
import type { Notice } from "../src/kernel/notices.ts"
import type { Archive } from "../src/net/release/manifest.ts"
import { noticesOf } from "./notices.ts"
import { packRelease, publicKeyOf, sealRelease, signingKey, unitOf } from "./release.ts"
import { threads } from "./threads.ts"

/**
 * `bun run build` compiles `dist/mailstead` for this machine. `bun run build --all` leaves in `dist/` an archive for every
 * platform, `SHA256SUMS`, its signature, `install.sh` and the signed manifest for `mailstead update`;
 * `--platform linux-x64` (repeatable) leaves those named only. The private key comes from `MAILSTEAD_SIGNING_KEY` (PEM,
 * or a file with it); without one nothing is signed. Exits with 1 when an executable cannot be built, unless
 * `--skip-missing`; the others are built all the same.
 */
const platforms = ["linux-x64", "linux-arm64", "linux-x64-musl", "linux-arm64-musl", "darwin-arm64", "windows-x64"]

/** The same for every target. */
interface Facts {
  readonly commit: string
  readonly notices: readonly Notice[]
  /** The key that updates are verified with. */
  readonly releaseKey: string | null
}

const root = resolve(import.meta.dir, "..")
const dist = join(root, "dist")
const entrypoints = ["main.ts", ...Object.values(threads)].map((path) => join(root, "src", path))

/** The commit of the sources, with `-dirty` appended when they differ from it; `unknown` outside of a clone. */
async function commitOfSources(): Promise<string> {
  const withoutTags = "--exclude=*"
  const described = await Bun.$`git describe --always --dirty --abbrev=12 ${withoutTags}`.cwd(root).quiet().nothrow()
  return described.exitCode === 0 ? described.text().trim() : "unknown"
}

async function compile(outfile: string, build: Facts, platform?: string): Promise<void> {
  const started = performance.now()
  await rm(outfile, { force: true })
  await Bun.build({
    entrypoints,
    // The paths of the threads' programs inside the executable are relative to this folder.
    root: join(root, "src"),
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    // The dashboard loads its larger parts on demand.
    splitting: true,
    // Browsers request each file of the dashboard separately, so small files are merged.
    minChunkSize: 65_536,
    plugins: [physicalSides],
    define: {
      MAILSTEAD_VERSION: JSON.stringify(version),
      MAILSTEAD_COMMIT: JSON.stringify(build.commit),
      MAILSTEAD_NOTICES: JSON.stringify(build.notices),
      MAILSTEAD_PLATFORM: JSON.stringify(platform ?? platformOfThisMachine()),
      MAILSTEAD_RELEASE_KEY: JSON.stringify(build.releaseKey),
      ...Object.fromEntries(Object.entries(threads).map(([name, path]) => [name, JSON.stringify(path)])),
      "process.env.NODE_ENV": JSON.stringify("production"),
    },
    compile: {
      outfile,
      ...(platform === undefined ? {} : { target: `bun-${platform}` as Bun.Build.CompileTarget }),
      // Configuration files of Bun in the working directory must not affect the executable.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
  const megabytes = (Bun.file(outfile).size / 1_048_576).toFixed(1)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  process.stdout.write(`${outfile.slice(root.length + 1)}  ${megabytes} MB  ${seconds} s\n`)
}

/** The one that `update` looks for in a manifest. */
function platformOfThisMachine(): string {
  const system = process.platform === "win32" ? "windows" : process.platform
  const hasMusl = existsSync("/etc/alpine-release")
  return `${system}-${process.arch}${hasMusl ? "-musl" : ""}`
}

/** Builds a release for these platforms. Returns the platforms that could not be built, with the reason. */
async function release(names: readonly string[], build: Facts, key: KeyObject | undefined): Promise<string[]> {
  const drafts = join(dist, "executables")
  const archives: Record<string, Archive> = {}
  // Removes files of an earlier release, to which the new sums and signature would not apply.
  for (const name of existsSync(dist) ? readdirSync(dist) : [])
    if (/^(?:SHA256SUMS(?:\.sig)?|update\.json|install\.sh|mailstead-.*\.(?:tar\.gz|zip))$/.test(name))
      rmSync(join(dist, name))
  const missing: string[] = []
  const parts = { version, notices: build.notices, unit: unitOf(root) }
  for (const platform of names) {
    const executable = join(drafts, `mailstead-${platform}${platform.startsWith("windows") ? ".exe" : ""}`)
    try {
      await compile(executable, build, platform)
    } catch (cause) {
      missing.push(`${platform}: ${cause instanceof Error ? cause.message : cause}`)
      continue
    }
    const archive = packRelease(dist, { platform, executable }, parts)
    archives[platform] = archive
    process.stdout.write(`dist/${archive.file}  ${(archive.size / 1_048_576).toFixed(1)} MB\n`)
  }
  await rm(drafts, { recursive: true, force: true })
  const installer = readFileSync(join(root, "config/install.sh"), "utf8")
  for (const name of sealRelease(dist, version, archives, installer, key)) process.stdout.write(`dist/${name}\n`)
  return missing
}

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    all: { type: "boolean" },
    platform: { type: "string", multiple: true },
    "skip-missing": { type: "boolean" },
  },
})
const chosen = values.all ? platforms : (values.platform ?? [])
const unknown = chosen.filter((name) => !platforms.includes(name))
if (unknown.length > 0) throw new Error(`${unknown.join(", ")} is none of ${platforms.join(", ")}.`)
const key = chosen.length > 0 ? signingKey(process.env.MAILSTEAD_SIGNING_KEY) : undefined
const facts: Facts = {
  commit: await commitOfSources(),
  notices: await noticesOf(root, entrypoints),
  releaseKey: key === undefined ? null : publicKeyOf(key),
}
process.stdout.write(`mailstead ${version} (${facts.commit})\n`)
if (chosen.length === 0) await compile(join(dist, process.platform === "win32" ? "mailstead.exe" : "mailstead"), facts)
else {
  const missing = await release(chosen, facts, key)
  if (key === undefined)
    process.stdout.write(
      "MAILSTEAD_SIGNING_KEY is not set: nothing is signed, and these executables cannot update themselves.\n",
    )
  for (const line of missing) process.stderr.write(`not built: ${line}\n`)
  if (missing.length > 0 && !values["skip-missing"]) process.exitCode = 1
}
