import { indexed, millionContacts } from "./tools/contacts.ts"
import { type Instance, startBare, startInstance } from "./tools/instance.ts"
import type { Running } from "./tools/process.ts"
import { compared, inTurns, measured, type Round } from "./tools/rounds.ts"
import type { Figure } from "./tools/table.ts"
import { type HttpLoad, wrk } from "./tools/wrk.ts"

const seconds = 3
const by = "wrk"

const trackBody = `'{"email":"user' .. (n % 20000) .. '@example.com","event":"purchase","data":{"plan":"pro","amount":49}}'`

const line = "<p>Hello {{name ?? there}}, this is a line of an ordinary mail.</p>"
const sendBody = `'{"to":"user' .. (n % 20000) .. '@example.com","from":"shop@acme.test","subject":"Order {{no}}","body":"${line.repeat(30)}","data":{"plan":"pro","no":{"value":' .. n .. ',"persistent":false}}}'`

type Request = Pick<HttpLoad, "path" | "body"> & { readonly method?: "GET"; readonly isPublic?: boolean }

const track: Request = { path: "/v1/track", body: trackBody, isPublic: true }
const send: Request = { path: "/v1/send", body: sendBody }
const list: Request = { path: "/emails", body: "nil", method: "GET" }

/**
 * `/v1/track`, `/v1/send` and `GET /emails` against a route that validates and echoes; what is written is on disk before
 * the answer.
 */
export async function endpoints(): Promise<Figure[]> {
  const bare = await startBare()
  // Accepting is measured: a queue that stays short would accept only what it delivers, which `delivery` measures.
  const ours = await startInstance({ MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "100" })
  const row = async (what: string, request: Request, connections: number, atLeast: number): Promise<Figure> => {
    const found = await inTurns({
      bare: () => load(bare, request, connections, "none"),
      ours: () => load(ours, request, connections, keyOf(ours, request)),
    })
    return compared(`${what}, ${connections} connections`, { ours: found.ours, against: found.bare, atLeast, by })
  }
  const figures = [
    await row("track", track, 1, 0.06),
    await row("track", track, 8, 0.2),
    await row("track", track, 64, 0.35),
    await row("send accepted, 2 KB, delivery limited", send, 8, 0.2),
    await row("send accepted, 2 KB, delivery limited", send, 64, 0.25),
    await row("the first page of GET /emails", list, 64, 0.1),
  ]
  await bare.stop()

  const large = await startInstance({}, millionContacts)
  await indexed(large)
  const grown = await inTurns({
    small: () => load(ours, track, 64, keyOf(ours, track)),
    large: () => load(large, track, 64, keyOf(large, track)),
  })
  await large.end()
  await ours.end()
  const results = { ours: grown.large, against: grown.small, atLeast: 0.67, by }
  return [...figures, compared("track with 1,000,000 contacts, of the same with 20,000", results)]
}

const keyOf = ({ project }: Instance, { isPublic }: Request): string => (isPublic ? project.publicKey : project.secret)

const load = (
  program: Running,
  { isPublic: _, ...request }: Request,
  connections: number,
  key: string,
): Promise<Round> =>
  measured(program, async () => {
    const { perSecond } = await wrk({ url: program.found, ...request, key, connections, seconds })
    return { perSecond, count: perSecond * seconds }
  })
