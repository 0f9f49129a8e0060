import { beforeAll, describe, expect, test } from "bun:test"
import { chmodSync } from "node:fs"
import { join, resolve } from "node:path"
import { defineCommand, type Io } from "../../src/commands/args.ts"
import { readAssignments } from "../../src/commands/service/assignments.ts"
import { configOf } from "../../src/commands/settings.ts"
import { runLine } from "../harness/commands.ts"
import { scratch } from "../harness/store.ts"

const newFolder = scratch()

/** Resolves with the configuration that a command sees, and a variable that is no setting; or with why it does not run. */
async function seen(config: string | undefined, env: Io["env"] = {}, code = 0) {
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
  const ended = await runLine(config === undefined ? ["show"] : ["show", "--config", config], { env, commands: [show] })
  expect(ended.code).toBe(code)
  return code === 0 ? JSON.parse(ended.stdout) : ended.stderr
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
    // A variable without text sets nothing, as those that a container is given from nothing.
    expect(await seen(config, { MAILSTEAD_HTTP_HOST: "", TOKEN: " " })).toMatchObject({ host: "::1", token: "t" })
  })

  test("may not exist because of another file on its path; one that is a folder is refused by its name", async () => {
    const folder = newFolder()
    await Bun.write(join(folder, "file"), "")
    expect(await seen(join(folder, "file", "mailstead.toml"), {}, 2)).toContain("mailstead.toml: ")
    await Bun.write(join(folder, "mailstead.env", "x"), "")
    await Bun.write(join(folder, "mailstead.toml"), "")
    expect(await seen(join(folder, "mailstead.toml"), {}, 2)).toContain(
      "mailstead.env: this file cannot be read (EISDIR",
    )
  })

  test("is warned of when this user may not read it, except in a service of systemd, which has read it", async () => {
    const folder = newFolder()
    await Bun.write(join(folder, "mailstead.toml"), "")
    await Bun.write(join(folder, "mailstead.env"), "TOKEN=x\n")
    const program = `import { withEnvironmentFile } from ${JSON.stringify(resolve(import.meta.dir, "../../src/commands/environment.ts"))}
      process.setuid?.(65534)
      const { env } = await withEnvironmentFile({ env: process.env, stderr: console.error }, { config: "mailstead.toml" })
      console.log(env.TOKEN)`
    const run = (env: Record<string, string>) => {
      chmodSync(join(folder, "mailstead.env"), 0o000)
      chmodSync(folder, 0o755)
      const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", program], { cwd: folder, env })
      return [stdout.toString(), stderr.toString()]
    }
    const [token, warning] = run({})
    expect([token, warning]).toEqual(["undefined\n", expect.stringContaining("so its settings are not in force")])
    expect(run({ INVOCATION_ID: "1" })).toEqual(["undefined\n", ""])
  })

  test("belongs to the file that MAILSTEAD_CONFIG names, too", async () => {
    const other = join(newFolder(), "other.toml")
    await Bun.write(other, "")
    await Bun.write(other.replace(".toml", ".env"), "TOKEN=other\n")
    expect(await seen(undefined, { MAILSTEAD_CONFIG: other })).toMatchObject({ token: "other" })
  })
})

test.each([
  ["A=abc#def ; x", "abc#def ; x"],
  ["A=  two words \t", "two words"],
  ["A=", ""],
  ['A="two  words "', "two  words "],
  ["A='it $is \\n'", "it $is \\n"],
  ['A="say \\"hi\\" \\x \\$a"', 'say "hi" \\x $a'],
  ["A=a\\ b\\\\c", "a b\\c"],
  ["A=one\\\n  two", "one  two"],
  ['A="one\ntwo"', "one\ntwo"],
  ["A='a'\"b\" c", "abc"],
  ['A=say "hi"', 'say "hi"'],
  [" A = a", "a"],
  ["A=a\r\nB=b", "a"],
  ["A=old\nA=new", "new"],
  ["# A=b\n;A=c\nno assignment\n2A=d\n\nA=a", "a"],
])("%j gives the variable %j, as systemd reads it", (text, value) => {
  expect(readAssignments(text).A).toBe(value)
})
