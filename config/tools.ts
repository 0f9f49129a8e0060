import { once } from "../src/kernel/once.ts"

/** Programs that tests need and that `bun install` does not provide. */
interface Tool {
  readonly names: readonly string[]
  /** The package of Debian and its relatives. */
  readonly package: string
  readonly use: string
  /** Optional: another tool does the same, only more slowly. */
  readonly optional?: boolean
  /** Arguments with which the program exits with 0 if it works; distributions ship stand-ins that only print advice. */
  readonly probe?: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const tools: readonly Tool[] = [
  {
    names: ["chromium-headless-shell"],
    package: "chromium-headless-shell",
    use: "the browser tests in half the time",
    probe: ["--version"],
    optional: true,
  },
  {
    // test/browser/chromium.ts uses the first one that is installed.
    names: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    package: "chromium",
    use: "the browser tests",
    probe: ["--version"],
  },
  { names: ["smtp-sink"], package: "postfix", use: "tests against a foreign SMTP server" },
  { names: ["smtp-source"], package: "postfix", use: "tests with a foreign SMTP client" },
  {
    names: ["postfix"],
    package: "postfix",
    use: "the test of reports that a foreign server makes, which runs it as root,",
  },
  { names: ["strace"], package: "strace", use: "the test that cuts the power" },
  { names: ["swaks"], package: "swaks", use: "the test of programs that submit mail" },
  {
    names: ["perl"],
    package: "libnet-ssleay-perl",
    use: "TLS of swaks",
    probe: ["-MNet::SSLeay", "-e", "1"],
  },
  { names: ["msmtp"], package: "msmtp", use: "the test of programs that submit mail" },
  { names: ["openssl"], package: "openssl", use: "tests of TLS and of signed releases" },
  { names: ["systemd-analyze"], package: "systemd", use: "the check of the unit of systemd" },
  { names: ["shellcheck"], package: "shellcheck", use: "the check of install.sh" },
  // The tests also find a version installed by Go, which may be newer.
  { names: ["pebble"], package: "pebble", use: "the test of certificates against Let's Encrypt's test server" },
  {
    names: ["/usr/bin/python3", "python3"],
    package: "python3-dkim",
    use: "the test of DKIM signatures by foreign programs",
    probe: ["-c", "import dkim, nacl"],
  },
  {
    names: ["python3", "/usr/bin/python3"],
    package: "python3-pip",
    use: "the test of returned messages of other servers, which pip fetches,",
    probe: ["-m", "pip", "--version"],
  },
  { names: ["spamassassin"], package: "spamassassin", use: "the test of spam scores" },
  { names: ["opendkim-testmsg"], package: "opendkim-tools", use: "the test of DKIM signatures by foreign programs" },
]

/**
 * Installs missing programs where no interaction is needed: with apt, as root or by a sudo without a password. Resolves
 * with one sentence for each tool that is missing all the same. Never rejects: the tests that need a tool fail by
 * themselves.
 */
export async function ensureTools(env: Environment): Promise<string[]> {
  const absent = tools.filter((tool) => !works(tool, env))
  const prefix = rootPrefix(env)
  if (absent.length > 0 && prefix !== undefined) await installAll(absent, prefix, env)
  return absent
    .filter((tool) => !tool.optional && !works(tool, env))
    .map((tool) => `missing: ${tool.names[0]} (package ${tool.package}); ${tool.use} cannot pass without it`)
}

/**
 * Installs all packages in one call, which is the fastest, and then those that are missing one by one: apt installs none
 * of those that it is given when it does not know one of them.
 */
async function installAll(absent: readonly Tool[], prefix: readonly string[], env: Environment): Promise<void> {
  const aptOnce = once((command) => apt([command], prefix, env))
  const update = () => aptOnce("update")
  const optional = absent.filter((tool) => tool.optional).flatMap(({ names }) => names)
  const isReplaced = (tool: Tool) => !tool.optional && tool.names.some((name) => optional.includes(name))
  const together = absent.filter((tool) => !isReplaced(tool)).map((tool) => tool.package)
  await install([...new Set(together)], update, prefix, env)
  for (const tool of absent) {
    if (works(tool, env)) continue
    const problem = await install([tool.package], update, prefix, env)
    if (problem !== undefined) process.stdout.write(`${problem}\n`)
  }
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

/** Resolves to the error output, or to undefined on success. */
async function install(
  names: readonly string[],
  update: () => Promise<unknown>,
  prefix: readonly string[],
  env: Environment,
): Promise<string | undefined> {
  process.stdout.write(`installing ${names.join(" ")} with apt-get\n`)
  // Without this answer Debian's postfix would set itself up and listen on port 25.
  if (names.includes("postfix"))
    await asRoot(["debconf-set-selections"], prefix, env, "postfix postfix/main_mailer_type select No configuration\n")
  const attempt = () => apt(["install", "--no-install-recommends", ...names], prefix, env)
  if ((await attempt()).ok) return undefined
  await update()
  const { ok, stderr } = await attempt()
  return ok ? undefined : `apt-get: ${stderr.trim().split("\n").at(-1)}`
}

/** Fails quickly without a network, and waits for the updates that a new machine installs by itself. */
const apt = (command: readonly string[], prefix: readonly string[], env: Environment) =>
  asRoot(
    [
      "env",
      "DEBIAN_FRONTEND=noninteractive",
      "apt-get",
      "-qq",
      "-y",
      "-o",
      "Acquire::Retries=1",
      "-o",
      "Acquire::http::Timeout=15",
      "-o",
      "DPkg::Lock::Timeout=120",
      ...command,
    ],
    prefix,
    env,
  )

async function asRoot(command: readonly string[], prefix: readonly string[], env: Environment, input = "") {
  const child = Bun.spawn([...prefix, ...command], {
    env: { ...env },
    stdin: Buffer.from(input),
    stdout: "ignore",
    stderr: "pipe",
    timeout: 600_000,
  })
  const stderr = await new Response(child.stderr).text()
  return { ok: (await child.exited) === 0, stderr }
}
