import { posix } from "node:path"
import { dashboardBreaches } from "./architecture-dashboard.ts"

/**
 * The plan of the house (who may import whom, and a few habits) as rules over the text of `src` and `plugins`. A room is
 * a folder of `src` or one of the files named here; arrows point down only, and within a floor they make no circle.
 */
const floors: readonly (readonly string[])[] = [
  ["kernel"],
  ["config"],
  ["store", "conditions"],
  ["bus", "jobs", "mail", "http", "net", "inbound", "references"],
  ["engine", "module"],
  ["modules"],
  ["dashboard", "dashboard host"],
  ["app"],
  ["commands", "main"],
]

/** Files that are rooms of their own, wherever they lie. */
const roomOfFile: Readonly<Record<string, string>> = {
  "src/main.ts": "main",
  "src/app.ts": "app",
  "src/routes.ts": "app",
  "src/modules.ts": "app",
  "src/engine.ts": "engine",
  "src/module.ts": "module",
  "src/references.ts": "references",
  "src/config.ts": "config",
  "src/http/dashboard.ts": "dashboard host",
}

/** A module calls only modules on a lower step, through their index.ts. */
const stair: readonly (readonly string[])[] = [
  ["projects", "accounts"],
  ["domains", "uploads", "verification"],
  ["contacts"],
  ["events", "templates"],
  ["emails"],
  ["segments", "hosted"],
  ["campaigns", "workflows"],
  ["activity", "analytics", "sandbox", "instance"],
]

export const longestFile = 300

/** Text that may stand only in some files. */
const habits: readonly { readonly pattern: RegExp; readonly allowed: RegExp; readonly because: string }[] = [
  {
    pattern: /(?<!["'])\b(?:process|Bun)\.(?:argv|env)\b|\bimport\.meta\.env\b/,
    allowed: /^src\/(?:main\.ts|commands\/)/,
    because: "only src/main.ts and src/commands read arguments and environment",
  },
  {
    pattern: /\bprocess\.(?:on|once|exit)\(|\bprocess\.exitCode\b/,
    allowed: /^src\/(?:main\.ts|commands\/)/,
    because: "only src/main.ts and src/commands deal with signals and exit codes",
  },
  {
    pattern: /\bconsole\.log\(/,
    allowed: /^src\/commands\//,
    because: "only commands print; everything else has a log",
  },
  {
    pattern: /\bDate\.now\(|\bMath\.random\(|\bnew Date\(\s*\)/,
    allowed: /^src\/(?:kernel|dashboard)\//,
    because: "time and chance come through the kernel",
  },
]

export type Files = ReadonlyMap<string, string>

export interface Import {
  readonly from: string
  readonly line: number
  readonly specifier: string
  /** The file it leads to, from the top of the repository; undefined for packages. */
  readonly to: string | undefined
  readonly typeOnly: boolean
}

const importForms = [
  /\b(?:import|export)\s+(type\s+)?[\w$*\s{},]*?\bfrom\s*["']([^"']+)["']/g,
  /\bimport\s*(\s)?["']([^"']+)["']/g,
  /\bimport\(\s*()["']([^"']+)["']\s*[,)]/g,
]

/** `Bun.Transpiler.scanImports` leaves out type imports, so this reads the text. */
export function importsOf(path: string, text: string): Import[] {
  return importForms.flatMap((form) =>
    Array.from(text.matchAll(form), (match) => {
      const specifier = match[2] ?? ""
      return {
        from: path,
        line: text.slice(0, match.index).split("\n").length,
        specifier,
        to: specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : undefined,
        typeOnly: match[1]?.trim() === "type",
      }
    }),
  )
}

export const isCode = (path: string): boolean => /\.tsx?$/.test(path)
const isGenerated = (path: string): boolean => path.includes(".gen.") || path.includes("/migrations/")

function roomOf(path: string): string | undefined {
  return roomOfFile[path] ?? /^src\/([^/]+)\//.exec(path)?.[1]
}

const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room))
const moduleOf = (path: string): string | undefined => /^src\/modules\/([^/]+)\//.exec(path)?.[1]
const stepOf = (module: string): number => stair.findIndex((modules) => modules.includes(module))

/** Every breach of the plan, as a sentence with the place it is at. */
export function breaches(files: Files): string[] {
  const imports = [...files].flatMap(([path, text]) => (isCode(path) ? importsOf(path, text) : []))
  return [
    ...strangers([...files.keys()]),
    ...imports.flatMap((one) => {
      const why = breachOf(one)
      return why === undefined ? [] : [`${one.from}:${one.line} imports ${one.specifier}: ${why}`]
    }),
    ...circles(imports),
    ...dashboardBreaches(imports),
    ...[...files].flatMap(([path, text]) => badHabits(path, text)),
  ]
}

function strangers(paths: readonly string[]): string[] {
  const rooms = new Map(paths.filter((path) => path.startsWith("src/")).map((path) => [roomOf(path) ?? path, path]))
  const modules = new Set(paths.map(moduleOf).filter((module) => module !== undefined))
  return [
    ...[...rooms]
      .filter(([room]) => floorOf(room) < 0)
      .map(([room, path]) => `${path}: ${room} is on no floor of test/harness/architecture.ts`),
    ...[...modules]
      .filter((name) => stepOf(name) < 0)
      .map((name) => `src/modules/${name} is on no step of the stair in test/harness/architecture.ts`),
  ]
}

function breachOf({ from, to, typeOnly }: Import): string | undefined {
  if (to === undefined || (!to.startsWith("src/") && !to.startsWith("plugins/"))) {
    return to?.startsWith("test/") ? "only tests import tests" : undefined
  }
  if (from.startsWith("plugins/")) return pluginBreach(from, to)
  if (to.startsWith("plugins/")) return from === "src/app.ts" ? undefined : "only src/app.ts imports plugins"
  const [here, there] = [roomOf(from), roomOf(to)]
  if (here === undefined || there === undefined) return undefined
  if (here === "dashboard" && there !== "dashboard")
    return typeOnly ? doorBreach(from, to) : "the dashboard imports no server code except types"
  if (floorOf(there) > floorOf(here)) return `${there} is above ${here}, and arrows point down only`
  return doorBreach(from, to)
}

function pluginBreach(from: string, to: string): string | undefined {
  const own = posix.dirname(from) === "plugins" ? "plugins/" : `${from.split("/").slice(0, 2).join("/")}/`
  const open = to.startsWith(own) || to === "src/mail/transport.ts" || to.startsWith("src/kernel/")
  return open ? undefined : "a plugin imports its own files, src/mail/transport.ts and the kernel"
}

function doorBreach(from: string, to: string): string | undefined {
  const [mine, theirs] = [moduleOf(from), moduleOf(to)]
  if (theirs === undefined || mine === theirs) return undefined
  if (to !== `src/modules/${theirs}/index.ts`) return `the only entrance of a module is its index.ts`
  if (mine === undefined || stepOf(theirs) < stepOf(mine)) return undefined
  return `${theirs} is not on a lower step of the stair than ${mine}`
}

/** Rooms of one floor that need each other, directly or around a corner. */
function circles(imports: readonly Import[]): string[] {
  const needs = new Map<string, Map<string, Import>>()
  for (const one of imports) {
    const [here, there] = [roomOf(one.from), one.to === undefined ? undefined : roomOf(one.to)]
    if (here === undefined || there === undefined || here === there || floorOf(here) !== floorOf(there)) continue
    const targets = needs.get(here) ?? new Map<string, Import>()
    needs.set(here, targets.set(there, targets.get(there) ?? one))
  }
  const reaches = (from: string, to: string, seen: Set<string> = new Set()): boolean =>
    [...(needs.get(from)?.keys() ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    )
  return [...needs].flatMap(([here, targets]) =>
    [...targets]
      .filter(([there]) => reaches(there, here))
      .map(([there, { from, line }]) => `${from}:${line} closes a circle: ${here} needs ${there}, which needs ${here}`),
  )
}

function badHabits(path: string, text: string): string[] {
  if (isGenerated(path)) return []
  const lines = text.split("\n")
  const count = text.endsWith("\n") ? lines.length - 1 : lines.length
  const tooLong =
    count > longestFile ? [`${path} has ${count} lines, more than ${longestFile}: it wants to be two files`] : []
  if (!isCode(path)) return tooLong
  const found = lines.flatMap((line, index) =>
    habits
      .filter(({ pattern, allowed }) => !allowed.test(path) && pattern.test(withoutComment(line)))
      .map(({ because }) => `${path}:${index + 1} ${line.trim()}: ${because}`),
  )
  return [...tooLong, ...found]
}

const withoutComment = (line: string): string => (/^\s*(?:\/\/|\/?\*)/.test(line) ? "" : line.replace(/\s\/\/ .*$/, ""))
