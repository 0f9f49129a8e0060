import { type Import, isCode } from "./imports.ts"

/**
 * The packages, or parts of packages, that every command loads before it does anything. Each costs it time: the parser of
 * messages with its character sets alone a tenth of a start.
 */
const loadedAtStart = [
  "@elysiajs/cookie",
  "@elysiajs/openapi",
  "@sinclair/typebox",
  "aws4fetch",
  "croner",
  "dns-packet",
  "drizzle-orm",
  "elysia",
  "handlebars",
  "htmlparser2",
  "lru-cache",
  "nodemailer/lib/base64",
  "nodemailer/lib/mime-funcs",
  "nodemailer/lib/mime-node",
  "papaparse",
  "smtp-server",
]

/** Other packages that `src/main.ts` reaches by static imports. */
export function startBreaches(imports: readonly Import[]): string[] {
  const byFile = Map.groupBy(
    imports.filter((one) => !one.typeOnly && !one.dynamic),
    (one) => one.from,
  )
  const loaded = new Set(["src/main.ts"])
  for (const file of loaded)
    for (const { to } of byFile.get(file) ?? []) if (to !== undefined && isCode(to)) loaded.add(to)
  return [...loaded].flatMap((file) =>
    (byFile.get(file) ?? [])
      .filter(({ specifier }) => isPackage(specifier) && !isExpected(specifier))
      .map(
        ({ line, specifier }) =>
          `${file}:${line} imports ${specifier}: every start would load it, so import() it where it is used, or add it to loadedAtStart in test/harness/architecture/start.ts`,
      ),
  )
}

/** Neither a file, nor built in, nor text that only looks like an import. */
const isPackage = (specifier: string): boolean => /^(?:@[\w.-]+\/)?\w[\w./-]*$/.test(specifier)

const isExpected = (specifier: string): boolean =>
  loadedAtStart.some((name) => specifier === name || specifier.startsWith(`${name}/`))
