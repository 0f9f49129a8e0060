import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Notice } from "../src/kernel/notices.ts"

/**
 * The packages whose files are in a build, by name, preceded by the runtime. `root` is the folder of the sources,
 * `entrypoints` are the entry points of the build. Throws when the full licence of a package is not known, because then
 * it must not be distributed.
 */
export async function noticesOf(root: string, entrypoints: readonly string[]): Promise<Notice[]> {
  const build = await Bun.build({ entrypoints: [...entrypoints], target: "bun", splitting: true, metafile: true })
  const folders = new Set(Object.keys(build.metafile?.inputs ?? {}).flatMap((file) => folderOf.exec(file)?.[0] ?? []))
  if (folders.size === 0) throw new Error("The build does not tell which packages are in it.")
  const notices = [...folders].map((folder) => noticeOf(join(root, folder)))
  // A package may be installed twice in the same version.
  const byName = new Map(notices.map((notice) => [`${notice.name} ${notice.version}`, notice]))
  return [runtimeNotice(root), ...[...byName.keys()].sort().flatMap((name) => byName.get(name) ?? [])]
}

/** Bun with the libraries it is linked to. The licence of JavaScriptCore, the LGPL, must be distributed in full. */
function runtimeNotice(root: string): Notice {
  const about = readFileSync(join(root, "node_modules/bun-types/docs/project/license.mdx"), "utf8")
  const text = [withoutFrontMatter(about), standardText("MIT"), standardText("LGPL-2.0")].join("\n\n")
  return { name: "bun", version: Bun.version, license: "MIT AND LGPL-2.0", text }
}

const withoutFrontMatter = (page: string): string => page.replace(/^---\n.*?\n---\n/s, "").trim()

/** The standard text of a licence, for packages without a licence file; undefined if there is none. */
function standardText(license: string): string | undefined {
  const path = join(import.meta.dir, "licenses", `${license}.txt`)
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined
}

/** The folder of the innermost package that a file belongs to. */
const folderOf = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

const isLicense = (file: string): boolean => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file)

function noticeOf(folder: string): Notice {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (typeof license !== "string") throw new Error(`${folder} names no licence.`)
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && isLicense(entry.name))
  const texts = files.map((file) => readFileSync(join(folder, file.name), "utf8").trim())
  if (texts.some((text) => text !== "")) return { name, version, license, text: texts.join("\n\n") }
  const standard = standardText(license)
  if (standard === undefined) throw new Error(`${folder} comes without the text of its licence, ${license}.`)
  const owner = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`)
  return { name, version, license, text: `Copyright (c) ${owner}\n\n${standard}` }
}
