import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { version } from "../package.json" with { type: "json" }
import type { Notice } from "../src/kernel/notices.ts"
import { noticesOf } from "./notices.ts"

/**
 * `bun run build` compiles `dist/mailstead` for this machine, `bun run build --all` one executable for every target we
 * publish. Exits with 1 when one cannot be built.
 */
const targets = {
  "linux-x64": "mailstead-linux-x64",
  "linux-arm64": "mailstead-linux-arm64",
  "darwin-arm64": "mailstead-darwin-arm64",
  "windows-x64": "mailstead-windows-x64.exe",
} as const

/** Worker threads, each an entry point, by the constant in the sources that contains its path inside the executable. */
const threads = {
  MAILSTEAD_READ_POOL_WORKER: "./store/sqlite/read-pool-worker.ts",
  MAILSTEAD_PARSE_WORKER: "./inbound/parse-worker.ts",
  MAILSTEAD_POSTMARK_WORKER: "./modules/reports/postmark-worker.ts",
  MAILSTEAD_JUDGE_WORKER: "./inbound/judge-worker.ts",
  MAILSTEAD_TEMPLATE_WORKER: "./mail/render/parse-worker.ts",
  MAILSTEAD_PREVIEW_WORKER: "./modules/templates/preview-worker.ts",
  MAILSTEAD_CHECKPOINT_WORKER: "./store/sqlite/checkpoint-worker.ts",
}

/** The same for every target. */
interface Facts {
  readonly commit: string
  readonly notices: readonly Notice[]
}

type Target = keyof typeof targets

const root = resolve(import.meta.dir, "..")
const dist = join(root, "dist")
const entrypoints = ["main.ts", ...Object.values(threads)].map((path) => join(root, "src", path))

/** The commit of the sources, with `-dirty` appended when they differ from it; `unknown` outside of a clone. */
async function commitOfSources(): Promise<string> {
  const withoutTags = "--exclude=*"
  const described = await Bun.$`git describe --always --dirty --abbrev=12 ${withoutTags}`.cwd(root).quiet().nothrow()
  return described.exitCode === 0 ? described.text().trim() : "unknown"
}

async function compile(outfile: string, build: Facts, target: Target | undefined): Promise<void> {
  const started = performance.now()
  await rm(outfile, { force: true })
  await Bun.build({
    entrypoints,
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    // The dashboard loads its larger parts on demand.
    splitting: true,
    define: {
      MAILSTEAD_VERSION: JSON.stringify(version),
      MAILSTEAD_COMMIT: JSON.stringify(build.commit),
      MAILSTEAD_NOTICES: JSON.stringify(build.notices),
      ...Object.fromEntries(Object.entries(threads).map(([name, path]) => [name, JSON.stringify(path)])),
      "process.env.NODE_ENV": JSON.stringify("production"),
    },
    compile: {
      outfile,
      ...(target === undefined ? {} : { target: `bun-${target}` }),
      // Files in the working directory must not change what the executable does.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
  const megabytes = (Bun.file(outfile).size / 1_048_576).toFixed(1)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  process.stdout.write(`${outfile.slice(root.length + 1)}  ${megabytes} MB  ${seconds} s\n`)
}

const { values } = parseArgs({ args: process.argv.slice(2), options: { all: { type: "boolean" } } })
const facts: Facts = { commit: await commitOfSources(), notices: await noticesOf(root, entrypoints) }
process.stdout.write(`mailstead ${version} (${facts.commit})\n`)
if (values.all) {
  for (const target of Object.keys(targets) as Target[]) await compile(join(dist, targets[target]), facts, target)
} else {
  await compile(join(dist, process.platform === "win32" ? "mailstead.exe" : "mailstead"), facts, undefined)
}
