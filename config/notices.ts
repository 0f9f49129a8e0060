import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Notice } from "../src/kernel/notices.ts"

/**
 * The packages whose files are in a build, by name. `root` is the folder of the sources, `entrypoints` are the entry
 * points of the build. Throws when a package names no licence, because then it must not be distributed.
 */
export async function noticesOf(root: string, entrypoints: readonly string[]): Promise<Notice[]> {
  const build = await Bun.build({ entrypoints: [...entrypoints], target: "bun", splitting: true, metafile: true })
  const folders = new Set(Object.keys(build.metafile?.inputs ?? {}).flatMap((file) => folderOf.exec(file)?.[0] ?? []))
  if (folders.size === 0) throw new Error("The build does not tell which packages are in it.")
  return [...folders]
    .map((folder) => noticeOf(join(root, folder)))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The folder of the innermost package that a file belongs to. */
const folderOf = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

const isLicense = (file: string): boolean => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file)

function noticeOf(folder: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (typeof license !== "string") throw new Error(`${folder} names no licence.`)
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && isLicense(entry.name))
  const texts = files.map((file) => readFileSync(join(folder, file.name), "utf8").trim())
  return { name, version, license, text: texts.join("\n\n") }
}
