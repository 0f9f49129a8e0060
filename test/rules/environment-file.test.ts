import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { defineCommand, type Io } from "../../src/commands/args.ts"
import { run } from "../../src/commands/index.ts"
import { configOf } from "../../src/commands/settings.ts"
import { scratch } from "../harness/store.ts"

const newFolder = scratch()

/** Resolves with the configuration that a command sees, and a variable that is no setting. */
async function seen(config: string | undefined, env: Io["env"] = {}) {
  let stdout = ""
  const show = defineCommand({
    name: "show",
    summary: "Show the configuration",
    options: {},
    async run(io, args) {
      const { http } = await configOf(io, args)
      io.stdout(JSON.stringify({ baseUrl: http.baseUrl, host: http.host, token: io.env.TOKEN }))
      return 0
    },
  })
  const io: Io = {
    stdout: (text) => {
      stdout += text
    },
    stderr: () => {},
    env,
    stdin: async () => "",
    stop: new AbortController().signal,
  }
  expect(await run(config === undefined ? ["show"] : ["show", "--config", config], io, [show])).toBe(0)
  return JSON.parse(stdout)
}

describe("the file of variables beside the configuration file (contract A8.2)", () => {
  let config: string
  let variables: string
  beforeAll(async () => {
    const folder = newFolder()
    config = join(folder, "mailstead.toml")
    variables = join(folder, "mailstead.env")
    await Bun.write(config, '[http]\nhost = "127.0.0.1"\n')
  })

  test("is not needed", async () => {
    expect(await seen(config)).toMatchObject({ host: "127.0.0.1" })
  })

  test("counts as set in the environment, over the configuration file", async () => {
    await Bun.write(
      variables,
      '# for the service\nMAILSTEAD_HTTP_BASE_URL="https://mail.example.com"\nMAILSTEAD_HTTP_HOST=::1\nTOKEN=t\n',
    )
    expect(await seen(config)).toEqual({ baseUrl: "https://mail.example.com", host: "::1", token: "t" })
  })

  test("does not count where the environment sets the variable", async () => {
    expect(await seen(config, { MAILSTEAD_HTTP_HOST: "::", TOKEN: "mine" })).toMatchObject({
      host: "::",
      token: "mine",
    })
  })

  test("belongs to the file that MAILSTEAD_CONFIG names, too", async () => {
    const other = join(newFolder(), "other.toml")
    await Bun.write(other, "")
    await Bun.write(other.replace(".toml", ".env"), "TOKEN=other\n")
    expect(await seen(undefined, { MAILSTEAD_CONFIG: other })).toMatchObject({ token: "other" })
  })
})
