import { describe, expect, test } from "bun:test"
import { ConfigError, loadConfig, type Settings } from "../../src/config.ts"

const load = (options: Settings) => loadConfig({ options }).config.verification
const lists = ["verification.disposable", "verification.alias", "verification.personal"] as const

describe("the operator's lists", () => {
  test("are empty at first", () => {
    expect(load({})).toEqual({ disposable: [], alias: [], personal: [] })
  })

  test("hold domains in canonical form", () => {
    expect(load({ "verification.disposable": "Trash.test, Bücher.example" }).disposable).toEqual([
      "trash.test",
      "xn--bcher-kva.example",
    ])
  })

  test.each(lists)("%s has a place of its own", (path) => {
    const [, name = ""] = path.split(".")
    expect(load({ [path]: "one.test" })).toEqual({ disposable: [], alias: [], personal: [], [name]: ["one.test"] })
  })

  test("may come from the file and from the environment", () => {
    const file = { name: "mailstead.toml", text: '[verification]\nalias = ["one.test", "two.test"]' }
    const env = { MAILSTEAD_VERIFICATION_PERSONAL: "three.test four.test" }
    const { verification } = loadConfig({ file, env }).config
    expect(verification).toEqual({
      disposable: [],
      alias: ["one.test", "two.test"],
      personal: ["three.test", "four.test"],
    })
  })

  test.each(["com", "a@trash.test", "*.trash.test", "https://trash.test", "192.0.2.1", "trash..test"])(
    "refuse %j",
    (value) => {
      for (const path of lists)
        expect(() => load({ [path]: value })).toThrow(
          new ConfigError([
            {
              path,
              message: `expected a domain such as example.com, got ${JSON.stringify(value)} (command line)`,
            },
          ]),
        )
    },
  )
})
