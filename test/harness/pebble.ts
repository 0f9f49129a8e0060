import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { freePort } from "./acme.ts"
import { testCertificate } from "./certificate.ts"
import { type DnsServer, startDnsServer } from "./dns-server.ts"

/** Pebble, the test server of Let's Encrypt, on 127.0.0.1, for mail.example.com and www.example.com. */
export interface Pebble {
  readonly directory: string
  /** The port at which it asks for challenges. */
  readonly plainPort: number
  readonly dns: DnsServer
  stop(): Promise<void>
}

const here = [["A", "127.0.0.1"]] as const
export const zone = { "mail.example.com": here, "www.example.com": here }

/** On the path, or where `go install` puts programs. */
function findPebble(): string {
  const { PATH = "", GOBIN, GOPATH = join(homedir(), "go") } = process.env
  const places = [PATH, GOBIN, join(GOPATH, "bin")].filter(Boolean).join(delimiter)
  const found = Bun.which("pebble", { PATH: places })
  if (found) return found
  throw new Error(
    "pebble is missing, Let's Encrypt's test server: install the package pebble, or go install github.com/letsencrypt/pebble/v2/cmd/pebble@latest",
  )
}

export async function startPebble(): Promise<Pebble> {
  const program = findPebble()
  const folder = mkdtempSync(join(tmpdir(), "mailstead-test-"))
  const dns = await startDnsServer(zone)
  const [port, management, plainPort] = [await freePort(), await freePort(), await freePort()]
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, "cert.pem"),
    privateKey: join(folder, "key.pem"),
    httpPort: plainPort,
    tlsPort: await freePort(),
    retryAfter: { authz: 1, order: 1 },
  }
  writeFileSync(config.certificate, testCertificate.cert)
  writeFileSync(config.privateKey, testCertificate.key)
  writeFileSync(join(folder, "pebble.json"), JSON.stringify({ pebble: config }))
  const child = Bun.spawn([program, "-config", join(folder, "pebble.json"), "-strict", "-dnsserver", dns.address], {
    // It refuses one of ten nonces, to see what a client does then.
    env: { PEBBLE_WFE_NONCEREJECT: "10", PEBBLE_VA_NOSLEEP: "1", PEBBLE_AUTHZREUSE: "0" },
    stdout: "pipe",
    stderr: "ignore",
  })
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  // It ends when nobody reads.
  const reading = (async () => {
    let printed = ""
    for await (const chunk of child.stdout) {
      printed = (printed + new TextDecoder().decode(chunk)).slice(-1_000)
      if (printed.includes("ACME directory available")) resolve()
    }
    reject(new Error(`Pebble ended: ${printed}`))
  })()
  await ready
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    plainPort,
    dns,
    async stop() {
      child.kill()
      await Promise.all([child.exited, reading])
      await dns.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
