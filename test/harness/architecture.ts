import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { dashboardBreaches } from "./architecture/dashboard.ts"
import { entranceBreaches } from "./architecture/entrances.ts"
import { type Files, fileCircles, type Import, importsOf, isCode } from "./architecture/imports.ts"
import { regexBreaches } from "./architecture/regexes.ts"
import { startBreaches } from "./architecture/start.ts"
import { storeBreaches } from "./architecture/store-rules.ts"
import { styleBreaches } from "./architecture/styles.ts"

export { importsOf, isCode } from "./architecture/imports.ts"

/**
 * The plan of the code (who may import whom, and a few habits) as rules over the text of `src` and `plugins`. A part is
 * a folder of `src` or one of the files named here. Parts import parts of their own layer and of those above them in
 * this list, and within a layer without circles.
 */
const layers: readonly (readonly string[])[] = [
  ["kernel"],
  ["config"],
  ["store", "conditions"],
  ["bus", "jobs", "mail", "http", "net", "tls", "inbound", "references"],
  ["engine", "module"],
  ["modules"],
  ["dashboard", "dashboard host"],
  ["app"],
  ["commands", "main"],
]

/** Files that are separate parts. */
const partOfFile: Readonly<Record<string, string>> = {
  "src/main.ts": "main",
  "src/transport-worker.ts": "main",
  "src/app.ts": "app",
  "src/listeners.ts": "app",
  "src/routes.ts": "app",
  "src/modules.ts": "app",
  "src/engine.ts": "engine",
  "src/module.ts": "module",
  "src/create-engine.ts": "app",
  "src/services.ts": "app",
  "src/module-hooks.ts": "app",
  "src/clock-turn.ts": "app",
  "src/clock-watch.ts": "app",
  "src/references.ts": "references",
  "src/config.ts": "config",
  "src/http/dashboard.ts": "dashboard host",
  "src/http/dashboard-page.ts": "dashboard host",
}

const importsPlugins: ReadonlySet<string> = new Set(["src/app.ts", "src/transport-worker.ts"])

/**
 * The order of the modules, as the picture of the README shows it: a module imports only modules before the `<` to its
 * left, through their index.ts.
 */
const moduleOrder = modulesIn(readFileSync(join(import.meta.dir, "../../README.md"), "utf8"))

function modulesIn(readme: string): readonly (readonly string[])[] {
  const [, picture = ""] = /^ modules\/(.*?)^ [a-z]+\//ms.exec(readme) ?? []
  return picture.split("<").map((modules) => modules.match(/[a-z]+/g) ?? [])
}

export const longestFile = 300

/** Text that is allowed only in some files. */
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
    pattern: /\b(?:await|return|=>|=)\s+fetch\(|\bglobalThis\.fetch\b|\bhttps?\.request\(/,
    // api-call.ts calls the providers that the operator has configured, at addresses of theirs or the operator's.
    allowed: /^(?:src\/(?:net|dashboard|commands)\/|src\/kernel\/api-call\.ts$|plugins\/)/,
    because: "requests to other servers go through net/safe-fetch",
  },
  {
    pattern: /\bDate\.now\(|\bMath\.random\(|\bnew Date\(\s*\)/,
    allowed: /^src\/(?:kernel|dashboard)\//,
    because: "time and random numbers come from the kernel",
  },
  {
    pattern: /\bbody: (?:t|Type)\.(?:Object|Composite|Intersect|Union)\(/,
    allowed: /(?!)/,
    because: "the body of a request is a shape() of text() and such: formats of TypeBox are not checked",
  },
]

const isGenerated = (path: string): boolean => path.includes(".gen.") || path.includes("/migrations/")

function partOf(path: string): string | undefined {
  return partOfFile[path] ?? /^src\/([^/]+)\//.exec(path)?.[1]
}

const layerOf = (part: string): number => layers.findIndex((parts) => parts.includes(part))
const moduleOf = (path: string): string | undefined => /^src\/modules\/([^/]+)\//.exec(path)?.[1]
const levelOf = (module: string): number => moduleOrder.findIndex((modules) => modules.includes(module))

/** Every violation of the plan, as a sentence with its position. */
export function breaches(files: Files): string[] {
  const imports = [...files].flatMap(([path, text]) => (isCode(path) ? importsOf(path, text) : []))
  return [
    ...unplaced([...files.keys()]),
    ...imports.flatMap((one) => {
      const why = breachOf(one)
      return why === undefined ? [] : [`${one.from}:${one.line} imports ${one.specifier}: ${why}`]
    }),
    ...partCircles(imports),
    ...fileCircles(imports),
    ...entranceBreaches(files),
    ...startBreaches(imports),
    ...storeBreaches(files),
    ...regexBreaches(files),
    ...styleBreaches(files),
    ...dashboardBreaches(imports),
    ...[...files].flatMap(([path, text]) => badHabits(path, text)),
  ]
}

function unplaced(paths: readonly string[]): string[] {
  const parts = new Map(paths.filter((path) => path.startsWith("src/")).map((path) => [partOf(path) ?? path, path]))
  const modules = new Set(paths.map(moduleOf).filter((module) => module !== undefined))
  return [
    ...[...parts]
      .filter(([part]) => layerOf(part) < 0)
      .map(
        ([part, path]) =>
          `${path}: ${part} is in no layer: add it to layers or partOfFile in test/harness/architecture.ts`,
      ),
    ...[...modules]
      .filter((name) => levelOf(name) < 0)
      .map(
        (name) =>
          `src/modules/${name} is not in the picture of README.md, "How the code is arranged": add it behind what it uses`,
      ),
  ]
}

function breachOf({ from, to, typeOnly }: Import): string | undefined {
  if (to === undefined || (!to.startsWith("src/") && !to.startsWith("plugins/"))) {
    return to?.startsWith("test/") ? "only tests import tests" : undefined
  }
  if (from.startsWith("plugins/")) return pluginBreach(from, to)
  if (to.startsWith("plugins/"))
    return importsPlugins.has(from) ? undefined : "only src/app.ts and the thread of transports import plugins"
  const [here, there] = [partOf(from), partOf(to)]
  if (here === undefined || there === undefined) return undefined
  if (here === "dashboard" && there !== "dashboard")
    return typeOnly ? moduleBreach(from, to) : "the dashboard imports no server code except types"
  if (layerOf(there) > layerOf(here)) return `${there} is in a layer above ${here}`
  return moduleBreach(from, to)
}

function pluginBreach(from: string, to: string): string | undefined {
  const own = posix.dirname(from) === "plugins" ? "plugins/" : `${from.split("/").slice(0, 2).join("/")}/`
  const open = to.startsWith(own) || to === "src/mail/transport.ts" || to.startsWith("src/kernel/")
  return open ? undefined : "a plugin imports its own files, src/mail/transport.ts and the kernel"
}

function moduleBreach(from: string, to: string): string | undefined {
  const [mine, theirs] = [moduleOf(from), moduleOf(to)]
  if (theirs === undefined || mine === theirs) return undefined
  if (to !== `src/modules/${theirs}/index.ts`) return `the only entrance of a module is its index.ts`
  if (mine === undefined || levelOf(mine) < 0 || levelOf(theirs) < levelOf(mine)) return undefined
  return `${theirs} is not to the left of ${mine} in the picture of README.md, "How the code is arranged"`
}

/** Parts of one layer that import each other, directly or through others. */
function partCircles(imports: readonly Import[]): string[] {
  const needs = new Map<string, Map<string, Import>>()
  for (const one of imports) {
    const [here, there] = [partOf(one.from), one.to === undefined ? undefined : partOf(one.to)]
    if (here === undefined || there === undefined || here === there || layerOf(here) !== layerOf(there)) continue
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
  const tooLong = count > longestFile ? [`${path} has ${count} lines, more than ${longestFile}: make it two files`] : []
  if (!isCode(path)) return tooLong
  const found = lines.flatMap((line, index) =>
    habits
      .filter(({ pattern, allowed }) => !allowed.test(path) && pattern.test(withoutComment(line)))
      .map(({ because }) => `${path}:${index + 1} ${line.trim()}: ${because}`),
  )
  return [...tooLong, ...found]
}

const withoutComment = (line: string): string => (/^\s*(?:\/\/|\/?\*)/.test(line) ? "" : line.replace(/\s\/\/ .*$/, ""))
