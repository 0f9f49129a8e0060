import type { BunPlugin } from "bun"

/** By the start and the end of a line, for text that runs from left to right. */
const sides: Readonly<Record<string, string>> = {
  "inset-inline-start": "left",
  "inset-inline-end": "right",
  "border-start-start-radius": "border-top-left-radius",
  "border-start-end-radius": "border-top-right-radius",
  "border-end-start-radius": "border-bottom-left-radius",
  "border-end-end-radius": "border-bottom-right-radius",
}

const property = new RegExp(`(?<![\\w-])(?:${Object.keys(sides).join("|")})(?![\\w-])`, "g")

/**
 * Names the sides of boxes in the style sheets of the dashboard, whose language is English. For browsers of 2020 the
 * bundler writes each rule with a logical property six times, with a selector of all languages that run from right to
 * left: that was half of the style sheet, and most of the work of a style calculation.
 */
export const physicalSides: BunPlugin = {
  name: "physical sides",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path, ...args }) => {
      // The server imports its style sheets as text, which the bundler does not tell here.
      if ("side" in args && args.side === "server") return undefined
      const contents = (await Bun.file(path).text()).replace(property, (name) => sides[name] ?? name)
      return { contents, loader: "css" }
    })
  },
}
