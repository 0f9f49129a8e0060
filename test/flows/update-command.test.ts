import { describe, expect, onTestFinished, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { type UpdateEnvironment, updateCommand } from "../../src/commands/update.ts"
import { runLine } from "../harness/commands.ts"
import { builtInKey, makeSmallRelease, publish } from "../harness/releases.ts"
import { scratch } from "../harness/store.ts"
import { createMachine } from "../harness/updating.ts"

const folder = scratch()

/** `mailstead ...` where 0.1.0 is installed and 0.2.0, or another version, published. */
function prepare(world: Partial<UpdateEnvironment> = {}, published = "0.2.0") {
  const releases = folder()
  const machine = createMachine(folder(), makeSmallRelease(releases, "0.1.0"))
  const publication = publish(folder(), published, makeSmallRelease(releases, published))
  for (const { stop } of [machine.service, publication]) onTestFinished(stop)
  const commands = [
    updateCommand(() => ({
      trust: { platform: "linux-x64", key: builtInKey },
      version: "0.1.0",
      executable: machine.installed,
      places: { config: `${machine.data}.toml`, data: machine.data },
      findService: async () => undefined,
      ...world,
    })),
  ]
  const mailstead = (line: string, data: readonly string[] = ["--data", machine.data]) =>
    runLine([...line.split(" "), ...data], { env: { HOME: folder(), MAILSTEAD_DATA: machine.data }, commands })
  return { mailstead, machine, url: publication.url }
}

describe("mailstead update", () => {
  test("with --check only says what there is (contract A8.1)", async () => {
    const { mailstead, machine, url } = prepare()
    const { code, stdout } = await mailstead(`update --check --json --url ${url}`)
    expect([code, JSON.parse(stdout)]).toEqual([0, { version: "0.1.0", newest: "0.2.0", isNewer: true }])
    expect((await mailstead(`update --check --url ${url}`)).stdout).toContain("0.2.0 is there; this is 0.1.0")
    expect(machine.files()).toEqual(["mailstead"])
  })

  test("says that the server must be restarted when no service runs it (contract A8.5.6)", async () => {
    const { mailstead, machine, url } = prepare()
    const { code, stdout, stderr } = await mailstead(`update --url ${url}`)
    expect([code, stdout]).toEqual([
      0,
      "Updated from 0.1.0 to 0.2.0. Restart the server to run it. The old executable is mailstead.previous.\n",
    ])
    expect(stderr).toBe("Downloading mailstead-0.2.0-linux-x64.tar.gz ...\n")
    expect(await machine.versionOf()).toBe("0.2.0")
  })

  test("says that the unit of systemd is to be renewed when the new version has another one (contract A8.5.4)", async () => {
    const renew = "The unit of systemd is not the one of this version: `mailstead service install` renews it."
    const stopped = { isActive: async () => false, restart: async () => {}, stop: async () => {} }
    for (const [version, findService, isTold] of [
      ["0.2.0", async () => stopped, false],
      ["0.3.0", async () => stopped, true],
      ["0.3.0", async () => undefined, false],
    ] as const) {
      const { mailstead, url } = prepare({ findService }, version)
      const { code, stdout } = await mailstead(`update --url ${url}`)
      expect([code, stdout.includes(`to ${version}.`), stdout.includes(renew)]).toEqual([0, true, isTold])
    }
  })

  test("says that there is nothing to do when the newest release is installed (contract A8.5.3)", async () => {
    const { mailstead, machine, url } = prepare({}, "0.1.0")
    const { code, stdout } = await mailstead(`update --url ${url}`)
    expect([code, stdout]).toEqual([0, "0.1.0 is the newest version. Nothing was changed.\n"])
    expect(machine.files()).toEqual(["mailstead"])
  })

  test("has the configuration of the installed server, and the variables beside it (contract A8.2)", async () => {
    const { mailstead, machine, url } = prepare()
    writeFileSync(`${machine.data}.toml`, "")
    writeFileSync(`${machine.data}.env`, `MAILSTEAD_UPDATE_URL=${url}\n`)
    const { code, stdout, stderr } = await mailstead("update --check", [])
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("0.2.0 is there; this is 0.1.0")])
  })

  test("looks after the data folder that the service names, and refuses another (contract A8.5.4)", async () => {
    const service = { isActive: async () => false, restart: async () => {}, stop: async () => {} }
    const { mailstead, machine, url } = prepare({ findService: async () => ({ ...service, data: "/srv/mail" }) })
    const { code, stderr } = await mailstead(`update --url ${url}`)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`the service runs on /srv/mail, and not on ${machine.data}: leave --data out`),
    ])
    expect(await machine.versionOf()).toBe("0.1.0")
  })

  test("without update.url is wrong usage", async () => {
    const { code, stderr } = await prepare().mailstead("update")
    expect([code, stderr]).toEqual([2, expect.stringContaining("update.url is not set")])
  })

  test("refuses in a build without a key (contract A8.5.3)", async () => {
    const { mailstead, url } = prepare({ trust: { platform: "linux-x64", key: null } })
    const { code, stderr } = await mailstead(`update --url ${url}`)
    expect([code, stderr]).toEqual([1, expect.stringContaining("built without a key for releases")])
  })

  test("leaves an update alone that another process is making", async () => {
    const { mailstead, machine, url } = prepare()
    // It has the word update among its arguments.
    const program = "console.log('running'); await Bun.stdin.text()"
    const other = Bun.spawn([process.execPath, "-e", program, "update"], { stdin: "pipe", stdout: "pipe" })
    await other.stdout.getReader().read()
    const marker = { from: "0.1.0", to: "0.2.0", state: "trying", copies: [], pid: other.pid }
    writeFileSync(`${machine.installed}.update`, JSON.stringify(marker))
    const { code, stderr } = await mailstead(`update --url ${url}`)
    other.kill()
    await other.exited
    expect([code, stderr]).toEqual([1, `mailstead: Process ${other.pid} is updating just now.\n`])
  })
})
