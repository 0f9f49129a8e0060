import { indexed, millionContacts } from "./tools/contacts.ts"
import { startBare, startInstance } from "./tools/instance.ts"
import { type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const seconds = 3

const trackBody = `'{"email":"user' .. (n % 20000) .. '@example.com","event":"purchase","data":{"plan":"pro","amount":49}}'`

const line = "<p>Hello {{name ?? there}}, this is a line of an ordinary mail.</p>"
const sendBody = `'{"to":"user' .. (n % 20000) .. '@example.com","from":"shop@acme.test","subject":"Order {{no}}","body":"${line.repeat(30)}","data":{"plan":"pro","no":{"value":' .. n .. ',"persistent":false}}}'`

/** `/v1/track` and `/v1/send`, each answer after its fsync, against a route that validates and echoes. */
export async function endpoints(): Promise<Figure[]> {
  const bare = await startBare()
  const echo = (path: string, body: string, connections: number) =>
    wrk({ url: bare.found, path, key: "none", body, connections, seconds })
  const bareTrack = await echo("/v1/track", trackBody, 64)
  const bareTrack8 = await echo("/v1/track", trackBody, 8)
  const bareSend = await echo("/v1/send", sendBody, 64)
  await bare.stop()

  const small = await startInstance()
  const { publicKey } = small.project
  const trackAt = (url: string, key: string, connections: number) =>
    wrk({ url, path: "/v1/track", key, body: trackBody, connections, seconds })
  const track8 = await trackAt(small.url, publicKey, 8)
  const track = await trackAt(small.url, publicKey, 64)
  await small.end()

  const large = await startInstance({}, millionContacts)
  await indexed(large)
  const trackLarge = await trackAt(large.url, large.project.publicKey, 64)
  await large.end()

  // Measures accepting, with delivery at the default rate limit of a project.
  const sender = await startInstance({ MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "100" })
  const send = await wrk({
    url: sender.url,
    path: "/v1/send",
    key: sender.project.secret,
    body: sendBody,
    connections: 64,
    seconds,
  })
  await sender.end()

  return [
    ratioOf("track, 64 connections", track.perSecond, bareTrack.perSecond, 0.2, "wrk"),
    ratioOf("track, 8 connections", track8.perSecond, bareTrack8.perSecond, 0.12, "wrk"),
    ratioOf("track with 1,000,000 contacts, of the same with none", trackLarge.perSecond, track.perSecond, 0.67, "wrk"),
    ratioOf("send accepted, 2 KB, 64 connections", send.perSecond, bareSend.perSecond, 0.12, "wrk"),
  ]
}
