import type { Import } from "./architecture/imports.ts"

const home = "src/dashboard/"

/** The floors of the dashboard, from the bottom. What lies directly in its folder is above them all. */
const floors: readonly (readonly string[])[] = [
  ["api", "ui"],
  ["context"],
  ["queries"],
  ["parts"],
  ["list"],
  ["shell"],
  ["pages"],
]
/** Files of a floor that do not lie in its folder. */
const floorOfFile: Readonly<Record<string, string>> = { "theme.ts": "ui" }

/** Every breach of the plan of `src/dashboard`: floors, pages that import pages, files that import each other. */
export function dashboardBreaches(imports: readonly Import[]): string[] {
  const inside = imports.filter((one): one is Inside => isInside(one.from) && one.to !== undefined && isInside(one.to))
  return [...strangers(imports), ...inside.flatMap(breachOf), ...circles(inside)]
}

type Inside = Import & { readonly to: string }

const isInside = (path: string): boolean => path.startsWith(home)

const folderOf = (path: string): string | undefined => {
  const name = path.slice(home.length)
  return floorOfFile[name] ?? (name.includes("/") ? name.slice(0, name.indexOf("/")) : undefined)
}

function floorOf(path: string): number {
  const folder = folderOf(path)
  return folder === undefined ? floors.length : floors.findIndex((folders) => folders.includes(folder))
}

const pageOf = (path: string): string | undefined => /^src\/dashboard\/pages\/([^/]+)\//.exec(path)?.[1]

function strangers(imports: readonly Import[]): string[] {
  const files = new Set(imports.map(({ from }) => from).filter(isInside))
  return [...files]
    .filter((path) => floorOf(path) < 0)
    .map((path) => `${path}: ${folderOf(path)} is on no floor of test/harness/architecture-dashboard.ts`)
}

function breachOf({ from, to, line, specifier }: Inside): string[] {
  const said = `${from}:${line} imports ${specifier}`
  if (floorOf(from) >= 0 && floorOf(to) > floorOf(from))
    return [`${said}: ${folderOf(to) ?? "the top"} is above ${folderOf(from)}`]
  const [mine, theirs] = [pageOf(from), pageOf(to)]
  const isAnother = mine !== undefined && theirs !== undefined && mine !== theirs
  return isAnother ? [`${said}: pages share through parts, and import no other page`] : []
}

/** Files that need each other, directly or around a corner; types count, because they tie two files together too. */
function circles(imports: readonly Inside[]): string[] {
  const needs = Map.groupBy(imports, ({ from }) => from)
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) {
      found.push(`files import each other: ${[...way.slice(way.indexOf(path)), path].join(" > ")}`)
      return
    }
    if (done.has(path)) return
    for (const { to } of needs.get(path) ?? []) visit(to, [...way, path])
    done.add(path)
  }
  for (const path of needs.keys()) visit(path, [])
  return found
}
