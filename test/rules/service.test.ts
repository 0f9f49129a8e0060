import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { createInstaller } from "../../src/commands/service/installer.ts"
import { below, placesOf } from "../../src/commands/service/places.ts"
import { findService, type ProgramResult } from "../../src/commands/service/service.ts"
import { unitText } from "../../src/commands/service/unit.ts"
import { exampleFile } from "../../src/config.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const ok = (stdout = ""): ProgramResult => ({ code: 0, stdout, stderr: "" })
const failed: ProgramResult = { code: 1, stdout: "", stderr: "no\n" }

const isActive = (command: string): ProgramResult => ok(command.includes(" is-active ") ? "active\n" : "")

/** The programs of a machine, with what was run. */
function machine(answers: (command: string) => ProgramResult = isActive) {
  const ran: string[] = []
  const run = async (command: readonly string[]) => {
    ran.push(command.join(" "))
    return answers(command.join(" "))
  }
  return { ran, run }
}

describe("the unit", () => {
  const system = placesOf({}, true)

  test("of the machine is config/mailstead.service", () => {
    expect(unitText(system)).toBe(readFileSync(resolve(import.meta.dir, "../../config/mailstead.service"), "utf8"))
  })

  test("has an exposure of 1.5 or better by systemd-analyze, also with the capability for low ports", () => {
    const at = folder()
    const ports = unitText(system)
    // What the comment in the unit says for a server without ports below 1024.
    const plain = ports
      .replace("\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n", "\n")
      .replace("\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n", "\nCapabilityBoundingSet=\n")
      .replace("\nPrivateUsers=no\n", "\nPrivateUsers=yes\n")
    expect(plain).not.toMatch(/^[^#]*CAP_NET_BIND_SERVICE|^PrivateUsers=no/m)
    for (const [name, text] of Object.entries({ plain, ports })) {
      const path = join(at, `${name}.service`)
      writeFileSync(path, text)
      const { stdout } = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", "--no-pager", path])
      const exposure = /exposure level for \S+: ([\d.]+)/.exec(stdout.toString())?.[1]
      expect(Number(exposure)).toBeLessThanOrEqual(1.5)
    }
  })

  test("begins once the clock is right, where the machine waits for that", () => {
    expect(unitText(system)).toMatch(/^After=.*\btime-sync\.target$/m)
  })

  test("ends a process that takes too much, and hides those of others", () => {
    const lines = unitText(system).split("\n")
    for (const line of ["MemoryMax=2G", "TasksMax=256", "ProtectProc=invisible"]) expect(lines).toContain(line)
  })

  test("leaves a fault in the configuration to the server, which is not restarted, and lets nothing else that fails begin", () => {
    const executable = join(folder(), "a program's name")
    const text = unitText({ ...placesOf({ HOME: "/home/a b" }, false), executable })
    const [, script = "", rest = ""] = /^ExecStartPre=\/bin\/sh -c '(.+)' sh (.+)$/m.exec(text) ?? []
    expect(rest).toStartWith(`"${executable}" migrate --config "/home/a b/`)
    const codes = [0, 1, 2, 137].map((code) => {
      writeFileSync(executable, `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 })
      return Bun.spawnSync(["/bin/sh", "-c", script.replaceAll("$$", () => "$"), "sh", executable, "migrate"]).exitCode
    })
    expect(codes.map((code) => code === 0)).toEqual([true, false, true, false])
  })

  test("of a person asks for nothing that only root may give, below the home", () => {
    const text = unitText(placesOf({ HOME: "/home/a b/100%" }, false))
    expect(text).not.toMatch(/^(?:User|StateDirectory|Private|Protect|Capability|SystemCallFilter|AmbientC)/m)
    expect(text).toContain(
      'ExecStart="/home/a b/100%%/.local/bin/mailstead" serve --config "/home/a b/100%%/.config/mailstead/mailstead.toml" --data "/home/a b/100%%/.local/share/mailstead"\n',
    )
    expect(unitText(placesOf({ HOME: "/home/me$x" }, false))).toContain(
      "ExecStart=/home/me$$x/.local/bin/mailstead serve",
    )
    expect(text).toContain("ExecStartPre=")
    expect(text).toContain("\nWantedBy=default.target\n")
    expect(text).not.toMatch(/\/usr\/local|\/etc\/|\/var\/lib|^#(?!.*service install)/m)
  })
})

describe("installing", () => {
  function prepare(answers?: (command: string) => ProgramResult, isSystemdRunning = true) {
    const at = folder()
    const source = join(at, "downloaded")
    writeFileSync(source, "#!/bin/sh\n")
    const places = below(join(at, "root"), placesOf({ HOME: "/home/ada" }, false))
    const { ran, run } = machine(answers)
    const installer = createInstaller({ places, final: places, run, isSystemdRunning, say: () => {} })
    return { places, ran, source, installer }
  }

  test("puts everything in its place and starts it; the second time changes nothing", async () => {
    const { places, ran, source, installer } = prepare()
    expect(await installer.install(source, "https://example.com/update.json")).toMatchObject({ isStarted: true })
    expect(statSync(places.executable).mode & 0o777).toBe(0o755)
    expect(statSync(places.data).mode & 0o777).toBe(0o700)
    expect(readFileSync(places.unit, "utf8")).toBe(unitText(places))
    const systemctl = "systemctl --user"
    expect(ran).toEqual([
      `${systemctl} daemon-reload`,
      `${systemctl} enable mailstead.service`,
      `${systemctl} restart mailstead.service`,
      "loginctl enable-linger",
    ])
    const before = statSync(places.executable).mtimeMs
    ran.length = 0
    await installer.install(source)
    expect(ran.filter((line) => line.includes("restart") || line.includes("reload"))).toEqual([])
    expect(statSync(places.executable).mtimeMs).toBe(before)
  })

  test("replaces another executable and restarts, but never a configuration", async () => {
    const { places, ran, source, installer } = prepare()
    await installer.install(source)
    writeFileSync(places.config, "# mine\n")
    writeFileSync(source, "#!/bin/sh\n# newer\n")
    ran.length = 0
    await installer.install(source, "https://example.com/update.json")
    expect(ran).toContain("systemctl --user restart mailstead.service")
    expect(readFileSync(places.executable, "utf8")).toContain("newer")
    expect(readFileSync(places.config, "utf8")).toBe("# mine\n")
  })

  test("writes the example configuration, with the address of updates", async () => {
    const { places, source, installer } = prepare()
    await installer.install(source, "https://example.com/m/update.json")
    const text = readFileSync(places.config, "utf8")
    const added = text.split("\n").filter((line) => !exampleFile().split("\n").includes(line))
    expect(added).toEqual(['url = "https://example.com/m/update.json"'])
    expect(Bun.TOML.parse(text)).toMatchObject({ update: { url: "https://example.com/m/update.json" } })
  })

  test("without systemd installs the files and starts nothing", async () => {
    const { places, ran, source, installer } = prepare(undefined, false)
    expect(await installer.install(source)).toMatchObject({ isStarted: false })
    expect(existsSync(places.unit)).toBe(true)
    expect(ran).toEqual([])
  })

  test("names the command that fails", async () => {
    const { source, installer } = prepare((command) => (command.includes("enable") ? failed : ok()))
    await expect(installer.install(source)).rejects.toThrow("systemctl --user: no")
  })

  test("in a session that su or sudo has opened, where systemd is not reached, says how it is", async () => {
    const stderr = "Failed to connect to bus: No medium found\n"
    const { source, installer } = prepare(() => ({ ...failed, stderr }))
    await expect(installer.install(source)).rejects.toThrow(
      "systemctl --user: Failed to connect to bus: No medium found. Log in as this user, for example by ssh,",
    )
  })

  test("for another root folder never touches the users of this machine", async () => {
    const at = folder()
    const source = join(at, "downloaded")
    writeFileSync(source, "")
    const final = placesOf({}, true)
    const places = below(at, final)
    const { ran, run } = machine()
    await createInstaller({ places, final, run, isSystemdRunning: false, say: () => {} }).install(source)
    expect(ran).toEqual([])
    expect(existsSync(join(at, "etc/systemd/system/mailstead.service"))).toBe(true)
    expect(readFileSync(places.unit, "utf8")).toBe(unitText(final))
  })

  test("is taken back without touching data, configuration and executable; twice without harm", async () => {
    const { places, ran, source, installer } = prepare()
    await installer.install(source)
    ran.length = 0
    expect([await installer.uninstall(), await installer.uninstall()]).toEqual([true, false])
    expect(ran).toEqual(["systemctl --user disable --now mailstead.service", "systemctl --user daemon-reload"])
    for (const path of [places.data, places.config, places.executable]) expect(existsSync(path)).toBe(true)
    expect(await installer.status()).toMatchObject({ installed: false, current: false })
  })

  test("tells whether the unit is the one of this version", async () => {
    const { places, source, installer } = prepare()
    await installer.install(source)
    expect(await installer.status()).toEqual({ installed: true, current: true, active: true, starting: false })
    writeFileSync(places.unit, "[Unit]\n")
    expect(await installer.status()).toMatchObject({ current: false })
  })

  test("while the server is starting, as during a migration, says so, and waits for it without beginning again", async () => {
    const starting = { ...failed, stdout: "activating\n" }
    const { ran, source, installer } = prepare((command) => (command.includes(" is-active ") ? starting : ok()))
    await installer.install(source)
    expect(await installer.status()).toMatchObject({ active: false, starting: true })
    ran.length = 0
    await installer.install(source)
    expect(ran.filter((line) => /start /.test(line))).toEqual(["systemctl --user start mailstead.service"])
  })
})

test("as root makes the user once, who owns the data, and reads the settings whatever the umask of root", async () => {
  const at = folder()
  const umask = process.umask(0o077)
  const source = join(at, "downloaded")
  writeFileSync(source, "")
  const { uid, gid } = statSync(at)
  const places = below(at, placesOf({}, true))
  let isMade = false
  const { ran, run } = machine((command) => {
    if (command.startsWith("useradd")) isMade = true
    return command.startsWith("getent") ? (isMade ? ok(`mailstead:x:${uid}:${gid}::/:/bin/false\n`) : failed) : ok()
  })
  const installer = createInstaller({ places, final: places, run, isSystemdRunning: false, say: () => {} })
  try {
    expect((await installer.install(source)).owner).toEqual({ uid, gid })
  } finally {
    process.umask(umask)
  }
  await installer.install(source)
  expect(ran.filter((line) => line.startsWith("useradd"))).toEqual([
    `useradd --system --user-group --home-dir ${places.data} --shell /usr/sbin/nologin mailstead`,
  ])
  expect(statSync(places.config).mode & 0o777).toBe(0o640)
  expect(statSync(dirname(places.config)).mode & 0o777).toBe(0o750)
  expect(statSync(places.unit).mode & 0o777).toBe(0o644)
})

describe("the service that an update restarts", () => {
  const path = "/usr/local/bin/mailstead"
  const showing = (shown: string) => (command: string) => (command.includes(" show ") ? ok(shown) : failed)

  test("is the one of this executable, of a machine that systemd runs", async () => {
    const { run } = machine(showing(`{ path=${path} ; argv[]=${path} serve }`))
    expect(await findService(path, "system", run, true)).toBeDefined()
    expect(await findService("/opt/mailstead", "system", run, true)).toBeUndefined()
    expect(await findService(path, "system", run, false)).toBeUndefined()
  })

  test("names the configuration and the data folder of its command line", async () => {
    const named = async (words: string) => {
      const { run } = machine(
        showing(`{ path=${path} ; argv[]=${path} serve${words} ; ignore_errors=no ; start_time=[n/a] }`),
      )
      const service = await findService(path, "system", run, true)
      return [service?.config, service?.data]
    }
    expect(await named("")).toEqual([undefined, undefined])
    expect(await named(" --data /srv/mail")).toEqual([undefined, "/srv/mail"])
    expect(await named(" --data /home/a b/mail --config /etc/m.toml")).toEqual(["/etc/m.toml", "/home/a b/mail"])
    expect(await named(" --config=/etc/m.toml --port 80")).toEqual(["/etc/m.toml", undefined])
  })

  test("says which call of systemctl failed, and why", async () => {
    const { run, ran } = machine(showing(`{ path=${path} ; }`))
    const service = await findService(path, "user", run, true)
    expect(await service?.isActive()).toBe(false)
    await expect(service?.restart() ?? Promise.resolve()).rejects.toThrow(
      'systemctl restart said "no" (journalctl --user -u mailstead has more)',
    )
    expect(ran.at(-1)).toBe("systemctl --user restart mailstead.service")
    const ofMachine = await findService(path, "system", run, true)
    await expect(ofMachine?.stop() ?? Promise.resolve()).rejects.toThrow("(journalctl -u mailstead has more)")
  })
})
