import type { Import } from "./imports.ts"

const home = "src/dashboard/"

/** The layers of the dashboard, from the bottom. Files directly in its folder are above them all. */
const layers: readonly (readonly string[])[] = [
  ["api", "ui"],
  ["frame"],
  ["context"],
  ["queries"],
  ["parts"],
  ["list"],
  ["shell"],
  ["pages"],
]
/** Files of a folder that are elsewhere. */
const folderOfFile: Readonly<Record<string, string>> = { "theme.ts": "ui" }

/** Every violation of the plan of `src/dashboard`: imports of a higher layer, and pages that import pages. */
export function dashboardBreaches(imports: readonly Import[]): string[] {
  const inside = imports.filter((one): one is Inside => isInside(one.from) && one.to !== undefined && isInside(one.to))
  return [...unplaced(imports), ...inside.flatMap(breachOf)]
}

type Inside = Import & { readonly to: string }

const isInside = (path: string): boolean => path.startsWith(home)

const folderOf = (path: string): string | undefined => {
  const name = path.slice(home.length)
  return folderOfFile[name] ?? (name.includes("/") ? name.slice(0, name.indexOf("/")) : undefined)
}

function layerOf(path: string): number {
  const folder = folderOf(path)
  return folder === undefined ? layers.length : layers.findIndex((folders) => folders.includes(folder))
}

const pageOf = (path: string): string | undefined => /^src\/dashboard\/pages\/([^/]+)\//.exec(path)?.[1]

function unplaced(imports: readonly Import[]): string[] {
  const files = new Set(imports.map(({ from }) => from).filter(isInside))
  return [...files]
    .filter((path) => layerOf(path) < 0)
    .map((path) => `${path}: ${folderOf(path)} is in no layer of test/harness/architecture/dashboard.ts`)
}

function breachOf({ from, to, line, specifier }: Inside): string[] {
  const said = `${from}:${line} imports ${specifier}`
  if (layerOf(from) >= 0 && layerOf(to) > layerOf(from))
    return [`${said}: ${folderOf(to) ?? "the top"} is above ${folderOf(from)}`]
  const [mine, theirs] = [pageOf(from), pageOf(to)]
  const isAnother = mine !== undefined && theirs !== undefined && mine !== theirs
  return isAnother ? [`${said}: pages share through parts, and import no other page`] : []
}
