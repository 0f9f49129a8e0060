import { lineAt, regexesOf } from "./code-text.ts"
import { type Files, isCode } from "./imports.ts"

/**
 * A repetition before `$` is retried from each of its characters, unless the expression is anchored: a megabyte of one
 * character takes hours. The dashboard is exempt, because it reads only the input of its own user.
 */
export const regexBreaches = (files: Files): string[] =>
  [...files]
    .filter(([path]) => isCode(path) && !path.startsWith("src/dashboard/"))
    .flatMap(([path, text]) =>
      regexesOf(text)
        .filter(({ source }) =>
          alternativesOf(source).some((part) => endsInRepetition.test(part) && !begins.test(part)),
        )
        .map(
          ({ source, index }) =>
            `${path}:${lineAt(text, index)} /${source}/: a regular expression that ends in a repetition begins with ^ or (?<!`,
        ),
    )

const endsInRepetition = /(?:[*+]|\{\d+,\})\??\)*(?:\\[nr]\??)*\$\)*$/
const begins = /^(?:\^|\(\?<!)/

/** The parts of an expression between the `|` that are in no group and no class. */
function alternativesOf(source: string): string[] {
  const parts: string[] = []
  let depth = 0
  let inClass = false
  let from = 0
  for (let at = 0; at < source.length; at++) {
    const char = source[at]
    if (char === "\\") at++
    else if (inClass) inClass = char !== "]"
    else if (char === "[") inClass = true
    else if (char === "(") depth++
    else if (char === ")") depth--
    else if (char === "|" && depth === 0) {
      parts.push(source.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, source.slice(from)]
}
