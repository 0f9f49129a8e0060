/** Programs that tests need and that `bun install` does not provide. */
interface Tool {
  readonly names: readonly string[]
  /** The package of Debian and its relatives. */
  readonly package: string
  readonly use: string
  /**
   * Arguments with which a working program exits with 0; some distributions have placeholders that only print advice.
   */
  readonly probe?: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const tools: readonly Tool[] = [
  {
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    package: "chromium",
    use: "the browser tests",
    probe: ["--version"],
  },
  { names: ["smtp-sink"], package: "postfix", use: "tests against a foreign SMTP server" },
  { names: ["smtp-source"], package: "postfix", use: "tests with a foreign SMTP client" },
  { names: ["openssl"], package: "openssl", use: "tests of TLS" },
]

/**
 * Installs missing programs where no interaction is needed: with apt, as root or by a sudo without a password. Resolves
 * with one sentence for each tool that is missing all the same. Never rejects: the tests that need a tool fail by
 * themselves.
 */
export async function ensureTools(env: Environment): Promise<string[]> {
  const absent = tools.filter((tool) => !works(tool, env))
  if (absent.length === 0) return []
  const prefix = rootPrefix(env)
  const packages = [...new Set(absent.map((tool) => tool.package))]
  if (prefix !== undefined) {
    process.stdout.write(`installing ${packages.join(", ")} with apt-get\n`)
    const problem = install(packages, prefix, env)
    if (problem !== undefined) process.stdout.write(`${problem}\n`)
  }
  return absent
    .filter((tool) => !works(tool, env))
    .map((tool) => `missing: ${tool.names[0]} (package ${tool.package}); ${tool.use} cannot pass without it`)
}

function works(tool: Tool, env: Environment): boolean {
  return tool.names.some((name) => {
    const path = Bun.which(name, { PATH: env.PATH ?? "" })
    if (path === null || tool.probe === undefined) return path !== null
    return Bun.spawnSync([path, ...tool.probe], { env: { ...env }, timeout: 20_000 }).exitCode === 0
  })
}

/** The prefix that runs a command as root; undefined without apt or permission. */
function rootPrefix(env: Environment): readonly string[] | undefined {
  const find = (name: string) => Bun.which(name, { PATH: env.PATH ?? "" })
  if (find("apt-get") === null) return undefined
  if (process.getuid?.() === 0) return []
  const sudo = find("sudo")
  return sudo !== null && Bun.spawnSync([sudo, "-n", "true"]).exitCode === 0 ? [sudo, "-n"] : undefined
}

/** Returns the reason of a failure, or undefined. */
function install(packages: readonly string[], prefix: readonly string[], env: Environment): string | undefined {
  const asRoot = (command: readonly string[], input = "") =>
    Bun.spawnSync([...prefix, ...command], { env: { ...env }, stdin: Buffer.from(input), timeout: 240_000 })
  // Without this answer Debian's postfix would set itself up and listen on port 25.
  if (packages.includes("postfix"))
    asRoot(["debconf-set-selections"], "postfix postfix/main_mailer_type select No configuration\n")
  const apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y"]
  const attempt = () => asRoot([...apt, "install", "--no-install-recommends", ...packages])
  if (attempt().exitCode === 0) return undefined
  asRoot([...apt, "update"])
  const result = attempt()
  return result.exitCode === 0 ? undefined : `apt-get: ${result.stderr.toString().trim().split("\n").at(-1)}`
}
