import { afterEach } from "bun:test"
import dgram from "node:dgram"
import net from "node:net"
import { type Answer, decode, encode, type Packet, RECURSION_AVAILABLE, RECURSION_DESIRED } from "dns-packet"
import { createDns, type Dns } from "../../src/net/dns.ts"
import { createFakeClock, type FakeClock } from "./fake-clock.ts"

/** Every name that exists, with its records: `{ "acme.test": [["MX", { exchange: "mx.acme.test" }]] }`. */
export type Zone = Readonly<Record<string, readonly ZoneRecord[]>>
export type ZoneRecord = readonly [type: "A" | "AAAA" | "MX" | "TXT" | "CNAME" | "PTR", data: unknown, ttl?: number]

interface DnsQuery {
  readonly over: "udp" | "tcp"
  readonly id: number
  readonly type: string
  readonly name: string
  readonly edns: boolean
  /** The port it came from. */
  readonly port: number
}

/**
 * How the server behaves instead of answering from the zone. `garbage`: bytes that are not a message; `not_edns`:
 * refuses only queries with EDNS; `close`: TCP connections are closed without an answer. A function makes the answer:
 * its bytes, in as many datagrams as it returns.
 */
export type DnsBehaviour =
  | "silent"
  | "servfail"
  | "refused"
  | "formerr"
  | "not_edns"
  | "garbage"
  | "close"
  | ((query: DnsQuery, honest: Packet) => readonly Buffer[])

/** A DNS server on 127.0.0.1 that answers from a zone as a resolver would, or misbehaves as configured. */
export interface DnsServer {
  /** `127.0.0.1:PORT`, as `dns.servers` takes it. */
  readonly address: string
  readonly queries: DnsQuery[]
  zone: Zone
  /** The next queries, one each; `always` for all others, undefined: the zone again. */
  next(...behaviours: DnsBehaviour[]): void
  always(behaviour: DnsBehaviour | undefined): void
  /** Withholds its datagrams until they are released. */
  hold(): void
  release(): void
  /** Resolves when this many queries have arrived since the start. */
  received(count: number): Promise<void>
  stop(): Promise<void>
}

const responseCodes = { servfail: 2, nxdomain: 3, formerr: 1, refused: 5 } as const
const truncatedFlag = 0x0200

export async function startDnsServer(zone: Zone = {}): Promise<DnsServer> {
  const queries: DnsQuery[] = []
  const upcoming: DnsBehaviour[] = []
  const watchers: { count: number; resolve: () => void }[] = []
  const connections = new Set<net.Socket>()
  let standing: DnsBehaviour | undefined
  let held: (() => void)[] | undefined
  const { udp, tcp, port } = await bindBoth()

  const server: DnsServer = {
    address: `127.0.0.1:${port}`,
    queries,
    zone,
    next: (...behaviours) => void upcoming.push(...behaviours),
    always(behaviour) {
      standing = behaviour
    },
    hold() {
      held = []
    },
    release() {
      for (const send of held ?? []) send()
      held = undefined
    },
    received: (count) =>
      new Promise((resolve) => {
        watchers.push({ count, resolve })
        tellWatchers()
      }),
    async stop() {
      for (const socket of connections) socket.destroy()
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise((resolve) => tcp.close(resolve)),
      ])
    },
  }

  udp.on("message", (bytes, from) => {
    for (const answer of answersTo(bytes, "udp", from.port) ?? []) {
      const send = () => udp.send(answer, from.port, from.address)
      if (held) held.push(send)
      else send()
    }
  })
  tcp.on("connection", (socket) => {
    connections.add(socket)
    socket.on("close", () => connections.delete(socket)).on("error", () => {})
    let received: Buffer = Buffer.alloc(0)
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
      const answers = answersTo(received.subarray(2), "tcp", socket.remotePort ?? 0)
      if (answers === undefined) socket.destroy()
      for (const answer of answers ?? []) {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        socket.write(length)
        socket.write(answer)
      }
    })
  })
  return server

  /** Undefined closes the connection. */
  function answersTo(bytes: Buffer, over: DnsQuery["over"], from: number): readonly Buffer[] | undefined {
    const packet = decode(bytes)
    const [question] = packet.questions ?? []
    const extension = packet.additionals?.find((record) => record.type === "OPT")
    const query: DnsQuery = {
      over,
      id: packet.id ?? 0,
      type: question?.type ?? "",
      name: question?.name ?? "",
      edns: extension !== undefined,
      port: from,
    }
    queries.push(query)
    tellWatchers()
    const honest = fromZone(packet, server.zone)
    const behaviour = upcoming.shift() ?? standing
    if (typeof behaviour === "function") return behaviour(query, honest)
    const refuse = (code: keyof typeof responseCodes) => [encode({ ...honest, answers: [], flags: flags(code) })]
    switch (behaviour) {
      case "silent":
        return []
      case "close":
        return undefined
      case "garbage":
        return [Buffer.from("no message at all")]
      case "servfail":
      case "refused":
      case "formerr":
        return refuse(behaviour)
      case "not_edns":
        if (query.edns) return refuse("formerr")
        break
    }
    const answer = encode(honest)
    const limit =
      over === "tcp" ? 65_535 : ((extension as { udpPayloadSize?: number } | undefined)?.udpPayloadSize ?? 512)
    if (answer.length <= limit) return [answer]
    return [encode({ ...honest, answers: [], flags: flags() | truncatedFlag })]
  }

  function tellWatchers(): void {
    for (const watcher of watchers) if (queries.length >= watcher.count) watcher.resolve()
  }
}

const flags = (code?: keyof typeof responseCodes): number =>
  RECURSION_DESIRED | RECURSION_AVAILABLE | (code ? responseCodes[code] : 0)

/** The whole chain of aliases, as a resolver puts it into one answer. */
function fromZone({ id, questions }: Packet, zone: Zone): Packet {
  const [question] = questions ?? []
  const answers: Answer[] = []
  let name = question?.name.toLowerCase() ?? ""
  let exists = false
  for (let hops = 0; hops < 10; hops++) {
    exists = zone[name] !== undefined
    const here = zone[name] ?? []
    const found = here.filter(([type]) => type === question?.type)
    const alias = here.find(([type]) => type === "CNAME")
    const given = found.length > 0 ? found : alias ? [alias] : []
    for (const [type, data, ttl = 300] of given) answers.push({ name, type, data, ttl } as Answer)
    if (found.length > 0 || alias === undefined) break
    name = String(alias[1]).toLowerCase()
  }
  return { type: "response", id, questions, answers, flags: flags(exists ? undefined : "nxdomain") }
}

/** One port for both protocols; a free one of UDP may be taken for TCP. */
async function bindBoth(): Promise<{ udp: dgram.Socket; tcp: net.Server; port: number }> {
  for (;;) {
    const udp = dgram.createSocket("udp4")
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve))
    const { port } = udp.address()
    const tcp = net.createServer()
    const bound = await new Promise<boolean>((resolve) => {
      tcp.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true))
    })
    if (bound) return { udp, tcp, port }
    await new Promise<void>((resolve) => udp.close(() => resolve()))
  }
}

interface DnsSetting {
  readonly servers: readonly DnsServer[]
  readonly first: DnsServer
  /** The first one again when there is only one. */
  readonly second: DnsServer
  readonly clock: FakeClock
  readonly dns: Dns
}

/** Lookups with a timeout of 5 seconds on a stopped clock. */
export const lookupsAt = (servers: readonly string[], clock = createFakeClock()): Dns =>
  createDns({ servers, clock, timeoutMs: 5_000 })

/** For the top of a test file: sets up servers of one zone, asked in order, which are stopped after the test. */
export function dnsSettings(): (zone: Zone, count?: number) => Promise<DnsSetting> {
  const running: DnsServer[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()))
  })
  return async (zone, count = 1) => {
    const first = await startDnsServer(zone)
    const servers = [first]
    while (servers.length < count) servers.push(await startDnsServer(zone))
    running.push(...servers)
    const clock = createFakeClock()
    const dns = lookupsAt(
      servers.map((server) => server.address),
      clock,
    )
    return { servers, first, second: servers[1] ?? first, clock, dns }
  }
}
