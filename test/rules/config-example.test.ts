import { describe, expect, test } from "bun:test"
import exampleFile from "../../config/mailstead.example.toml" with { type: "text" }
import { keyPaths, keys, loadConfig, transportKeys } from "../../src/config.ts"

const example: string = exampleFile

interface Line {
  readonly path: string
  readonly value: string
  /** Shows an example, not the default. */
  readonly isExample: boolean
  /** The comment above it. */
  readonly comment: string
}

/** The settings in the example file, which all are comments that begin with `#` and no space. */
function readExample(): Line[] {
  const lines: Line[] = []
  let section = ""
  let comment: string[] = []
  for (const line of example.split("\n")) {
    const setting = /^#([a-z_]+) = (.+)$/.exec(line)
    const header = /^#?\[([a-z_.]+)\]$/.exec(line)
    if (header) section = `${header[1]}.`
    if (line.startsWith("# ")) comment.push(line.slice(2))
    if (setting) {
      const text = comment.join(" ")
      lines.push({
        path: section + setting[1],
        value: setting[2] ?? "",
        isExample: /Example:( |$)/.test(text),
        comment: text,
      })
    } else if (line === "") comment = []
  }
  return lines
}

const settings = readExample()
const uncommented = example.replaceAll(/^#(?! |$)/gm, "")

describe("the example configuration", () => {
  test("has every setting once, and no other", () => {
    const plain = settings.map((line) => line.path).filter((path) => !path.startsWith("transports."))
    expect(plain.toSorted()).toEqual([...keyPaths].sort())
    const leaves = settings
      .filter((line) => line.path.startsWith("transports.relay."))
      .map((line) => line.path.split(".")[2])
    expect(leaves).toEqual(Object.keys(transportKeys))
  })

  test("says something about every setting", () => {
    expect(settings.filter((line) => line.comment.length < 10).map((line) => line.path)).toEqual([])
  })

  test("changes nothing as it is", () => {
    expect(loadConfig({ file: { name: "example", text: example } })).toEqual(loadConfig({}))
  })

  test("shows the default of every setting that has one, and an example of the others", () => {
    for (const { path, value, isExample } of settings) {
      const key = Object.entries(keys).find(([name]) => name === path)?.[1]
      if (key === undefined) continue
      const parsed: unknown = Bun.TOML.parse(`value = ${value}`)
      if (key.fallback === null) expect([path, isExample]).toEqual([path, true])
      else expect([path, isExample, parsed]).toEqual([path, false, { value: key.fallback }])
    }
  })

  test("is a valid configuration with every line uncommented", () => {
    expect(Object.keys(Bun.TOML.parse(uncommented)).length).toBeGreaterThan(10)
    const { config } = loadConfig({ file: { name: "example", text: uncommented } })
    expect(config.mail.bulk).toBe("newsletter")
    expect(Object.keys(config.transports)).toEqual(["relay", "newsletter"])
    expect(config.smtp.tls).toEqual({ cert: "/etc/mailstead/tls/fullchain.pem", key: "/etc/mailstead/tls/privkey.pem" })
  })
})
