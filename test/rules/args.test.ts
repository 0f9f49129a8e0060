import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { type Args, type Command, defineCommand, type Io, UsageError } from "../../src/commands/args.ts"
import { configOf } from "../../src/commands/settings.ts"
import { buildInfo } from "../../src/kernel/build-info.ts"
import { DomainError } from "../../src/kernel/errors.ts"
import { runLine } from "../harness/commands.ts"

const root = join(import.meta.dir, "../..")
const exampleFile = join(root, "config/mailstead.example.toml")

/** Runs a command line in process, as `mailstead ...` would. */
const mailstead = (line: string | readonly string[], commands?: readonly Command[], env: Io["env"] = {}) =>
  runLine(typeof line === "string" ? line.split(" ").filter(Boolean) : line, { commands, env })

/** Commands that record their arguments. */
function recording(fail: () => void = () => {}) {
  const calls: Args[] = []
  const keep = async (args: Args) => {
    calls.push(args)
    fail()
    return 0
  }
  const serve = defineCommand({
    name: "serve",
    summary: "Start the server",
    about: "Listens until it is told to stop.",
    options: {
      host: { value: "HOST", help: "Address to listen on", setting: "http.host" },
      port: { value: "PORT", help: "Port to listen on", setting: "http.port" },
      quiet: { help: "Say nothing" },
    },
    run: (_, args) => {
      const typed: [string | undefined, boolean] = [args.options.host, args.options.quiet]
      expect(typed[1]).toBeBoolean()
      return keep(args)
    },
  })
  const domainAdd = defineCommand({
    name: "domain add",
    summary: "Add a sender domain",
    words: ["DOMAIN"],
    options: { project: { value: "ID", help: "The project", required: true }, verified: { help: "Trust it" } },
    run: (_, args) => {
      const typed: [string, string] = [args.words.DOMAIN, args.options.project]
      expect(typed[0]).toBeString()
      return keep(args)
    },
  })
  const domainList = defineCommand({ name: "domain list", summary: "List", options: {}, run: (_, args) => keep(args) })
  return { calls, commands: [serve, domainAdd, domainList] }
}

describe("a command line", () => {
  test("becomes options, words and settings", async () => {
    const { calls, commands } = recording()
    const line = "domain add example.com --project 7 --verified --json --data /srv/mail --config=a.toml"
    expect((await mailstead(line, commands)).code).toBe(0)
    expect(calls[0]).toMatchObject({
      words: { DOMAIN: "example.com" },
      options: { project: "7", verified: true },
      settings: { data: "/srv/mail" },
      config: "a.toml",
      json: true,
    })
  })

  test("sets absent switches to false and omits other absent options", async () => {
    const { calls, commands } = recording()
    await mailstead("serve --port=0", commands)
    expect(calls[0]).toMatchObject({
      options: { port: "0", quiet: false },
      settings: { "http.port": "0" },
      json: false,
    })
    expect(calls[0]?.options.host).toBeUndefined()
    expect(calls[0]?.config).toBeUndefined()
  })

  test("takes the last of a repeated option, and a value that begins with - after =", async () => {
    const { calls, commands } = recording()
    await mailstead("serve --host a --host=-b", commands)
    expect(calls[0]?.options.host).toBe("-b")
  })

  test("treats everything after -- as words", async () => {
    const { calls, commands } = recording()
    await mailstead("domain add --project 7 -- --json", commands)
    expect(calls[0]).toMatchObject({ words: { DOMAIN: "--json" }, json: false })
  })
})

describe("further words", () => {
  const calls: Args[] = []
  const open = defineCommand({
    name: "open",
    summary: "Open",
    words: ["FIRST"],
    rest: { name: "DOMAIN", setting: "http.domains" },
    options: { host: { value: "HOST", help: "Host", setting: "http.host" } },
    run: async (_io, args) => {
      calls.push(args)
      return 0
    },
  })

  test("override their setting when there are any", async () => {
    await mailstead("open x a.example --host 127.0.0.9 b.example", [open])
    await mailstead("open x", [open])
    expect(calls.map(({ words, settings }) => [words, settings])).toEqual([
      [{ FIRST: "x" }, { "http.host": "127.0.0.9", "http.domains": "a.example b.example" }],
      [{ FIRST: "x" }, {}],
    ])
  })

  test("are shown in the usage", async () => {
    const { stdout } = await mailstead("open --help", [open])
    expect(stdout).toContain("Usage: mailstead open FIRST [DOMAIN ...] [--host HOST] [options]")
  })

  test("that are no names are refused by serve, with exit code 2", async () => {
    const { code, stderr } = await mailstead("serve mail.example.com 10.0.0.1")
    expect([code, stderr]).toEqual([2, expect.stringContaining("http.domains: expected a domain such as example.com")])
  })
})

describe("wrong usage", () => {
  test.each([
    ["serve --prot 80", "unknown option --prot; did you mean --port?"],
    ["serve --zzzzzz", "unknown option --zzzzzz"],
    ["serve -p 80", "unknown option -p"],
    ["serve --no-quiet", "unknown option --no-quiet"],
    ["serve --port", "--port needs a value: --port PORT"],
    ["serve --port=", "--port needs a value: --port PORT"],
    ["serve --port --quiet", "--port needs a value; one that begins with - is written --port=--quiet"],
    ["serve --quiet=yes", "--quiet takes no value"],
    ["serve now", 'unexpected argument "now"'],
    ["domain add --project 7", "DOMAIN is missing"],
    ["domain add example.com", "--project ID is missing"],
    ["domain add a.com b.com --project 7", 'unexpected argument "b.com"'],
    ["domain", "one of these commands is missing: domain add, domain list"],
    ["domain --json", "one of these commands is missing: domain add, domain list"],
    ["domain ad", 'unknown command "domain ad"; these exist: domain add, domain list'],
    ["domain remove a.com", 'unknown command "domain remove"; these exist: domain add, domain list'],
    ["sevre", 'unknown command "sevre"; did you mean "serve"?'],
    ["doman", 'unknown command "doman"; did you mean "domain"?'],
    ["dance", 'unknown command "dance"'],
    ["help dance", 'unknown command "dance"'],
    ["help domain nope", 'unknown command "domain nope"; these exist: domain add, domain list'],
    ["help serve nope", 'unexpected argument "nope"'],
    ["help config nope", 'unexpected argument "nope"'],
    ["--port 80", "unknown option --port; options stand behind the command"],
    ["serve --__proto__=1", "unknown option --__proto__"],
  ])("`mailstead %s` exits with 2, prints the reason and runs nothing", async (line, message) => {
    const { calls, commands } = recording()
    const { code, stdout, stderr } = await mailstead(line, commands)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr.split("\n")[0]).toBe(`mailstead: ${message}`)
    expect(calls).toEqual([])
  })

  test("shows the usage of the command it is about", async () => {
    const { stderr } = await mailstead("domain add", recording().commands)
    expect(stderr).toContain("Usage: mailstead domain add DOMAIN --project ID [--verified] [options]")
  })

  test("may be detected by the command itself", async () => {
    const { commands } = recording(() => {
      throw new UsageError("not like this")
    })
    const { code, stderr } = await mailstead("serve", commands)
    expect(code).toBe(2)
    expect(stderr).toStartWith("mailstead: not like this\n\nUsage: mailstead serve [--host HOST]")
  })
})

describe("help", () => {
  test.each(["", "help", "--help", "-h"])("`mailstead %s` lists every command", async (line) => {
    const { code, stdout, stderr } = await mailstead(line, recording().commands)
    expect([code, stderr]).toEqual([0, ""])
    for (const text of ["serve", "domain add DOMAIN", "Add a sender domain", "--config FILE", "--json"])
      expect(stdout).toContain(text)
  })

  test.each(["serve --help", "serve --prot -h", "help serve", "serve now --help"])(
    "`mailstead %s` explains the command and does not run it",
    async (line) => {
      const { calls, commands } = recording()
      const { code, stdout, stderr } = await mailstead(line, commands)
      expect([code, stderr, calls]).toEqual([0, "", []])
      for (const text of [
        "Usage: mailstead serve [--host HOST]",
        "Listens until",
        "Address to listen on",
        "--data DIR",
      ])
        expect(stdout).toContain(text)
    },
  )

  test.each(["domain --help", "help domain"])("`mailstead %s` lists the commands that begin so", async (line) => {
    const { code, stdout } = await mailstead(line, recording().commands)
    expect(code).toBe(0)
    expect(stdout).toContain("domain add DOMAIN")
    expect(stdout).not.toContain("Start the server")
  })

  test("of the sandbox says that it keeps nothing without --data", async () => {
    const { stdout } = await mailstead("sandbox --help")
    expect(stdout.match(/--data DIR .*/g)).toEqual([
      expect.stringContaining("deleted with all mail when the sandbox stops"),
    ])
  })

  test("of a service says of --root what the command does there (contract A8.1)", async () => {
    for (const verb of ["install", "uninstall", "status"]) {
      const [, help] = /--root DIR +(.*)/.exec((await mailstead(`service ${verb} --help`)).stdout) ?? []
      expect([verb, help?.startsWith("Install below")]).toEqual([verb, verb === "install"])
    }
  })

  test("shows the whole example configuration", async () => {
    const { code, stdout } = await mailstead("help config")
    expect(code).toBe(0)
    expect(stdout).toBe(await Bun.file(exampleFile).text())
  })
})

describe("a command that fails", () => {
  test("exits with 1 and prints the reason in one line", async () => {
    const { commands } = recording(() => {
      throw new Error("the disk is full")
    })
    expect(await mailstead("serve", commands)).toEqual({ code: 1, stdout: "", stderr: "mailstead: the disk is full\n" })
  })

  test("prints what to do about a refusal, too, as of a full disk (contract A8.1)", async () => {
    const { commands } = recording(() => {
      throw new DomainError("unavailable", "STORE_UNAVAILABLE", "It could not be stored.", {
        suggestion: "Free space.",
      })
    })
    expect(await mailstead("serve", commands)).toMatchObject({
      code: 1,
      stderr: "mailstead: It could not be stored. Free space.\n",
    })
  })

  test("prints the stack when the log level is debug", async () => {
    const { commands } = recording(() => {
      throw new Error("the disk is full")
    })
    const { stderr } = await mailstead("serve", commands, { MAILSTEAD_LOG_LEVEL: "debug" })
    expect(stderr).toContain("args.test.ts")
  })
})

describe("the configuration of a command", () => {
  const show = defineCommand({
    name: "show",
    summary: "Show the configuration",
    options: { port: { value: "PORT", help: "Port", setting: "http.port" } },
    run: async (io, args) => {
      io.stdout(JSON.stringify(await configOf(io, args)))
      return 0
    },
  })

  test("comes from its options, the environment and the file that --config or MAILSTEAD_CONFIG names", async () => {
    const env = { MAILSTEAD_HTTP_HOST: "::1", MAILSTEAD_HTTP_PORT: "1" }
    for (const [line, more] of [
      [`show --port 2 --config ${exampleFile}`, {}],
      ["show --port 2", { MAILSTEAD_CONFIG: exampleFile }],
    ] as const) {
      const { code, stdout } = await mailstead(line, [show], { ...env, ...more })
      expect(code).toBe(0)
      expect(JSON.parse(stdout).http).toMatchObject({ host: "::1", port: 2 })
    }
  })

  test("has its faults on stderr, all of them, with exit code 2", async () => {
    const { code, stdout, stderr } = await mailstead("show --port x", [show], { MAILSTEAD_HTTP_HOST: "a b" })
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain("mailstead: The configuration has 2 faults:")
    expect(stderr).toContain('http.host: expected an IP address or a host name, got "a b" (MAILSTEAD_HTTP_HOST)')
    expect(stderr).toContain('http.port: expected a port number from 0 to 65535, got "x" (command line)')
  })

  test("is refused with exit code 2 when the file is missing", async () => {
    const { code, stderr } = await mailstead("show --config /nowhere/mailstead.toml", [show])
    expect(code).toBe(2)
    expect(stderr).toContain("/nowhere/mailstead.toml: this file cannot be read")
  })

  test("warns of unknown variables and continues", async () => {
    const { code, stderr } = await mailstead("show", [show], { MAILSTEAD_HTTP_PROT: "1" })
    expect(code).toBe(0)
    expect(stderr).toStartWith("warning: MAILSTEAD_HTTP_PROT is no setting of ours")
  })
})

test("from its sources, `mailstead licenses` prints where the licences are", async () => {
  const { code, stdout } = await mailstead("licenses")
  expect([code, stdout]).toEqual([0, "Each package is in node_modules, with its licence.\n"])
  expect(JSON.parse((await mailstead("licenses --json")).stdout)).toEqual({ packages: [] })
})

describe("version", () => {
  test.each(["version", "--version", "-v"])("`mailstead %s` prints the version of the package", async (line) => {
    const { version } = await Bun.file(join(root, "package.json")).json()
    expect(await mailstead(line)).toEqual({ code: 0, stdout: `mailstead ${version}\n`, stderr: "" })
  })

  test("is one JSON document with --json", async () => {
    const { stdout } = await mailstead("version --json")
    expect(JSON.parse(stdout)).toEqual({ version: buildInfo.version, commit: "dev", bun: Bun.version })
  })
})
