import { startInstance } from "./tools/instance.ts"
import { type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const seconds = 3

/** The same request with a secret key and with a session, which differ only in the authentication. */
export async function sessions(): Promise<Figure[]> {
  const instance = await startInstance()
  const { url, project } = instance
  const signedUp = await fetch(`${url}/auth/signup`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "owner@acme.test", password: "correct horse battery" }),
  })
  const cookie = signedUp.headers.getSetCookie().find((line) => line.startsWith("mailstead_session="))
  const headers = { Cookie: /^[^;]+/.exec(cookie ?? "")?.[0] ?? "", "X-Project-Id": project.id }
  const load = {
    url,
    path: "/contacts?limit=1",
    key: project.secret,
    body: "nil",
    method: "GET",
    connections: 8,
    seconds,
  } as const
  // Alternating, so that a temporarily busy machine slows both.
  let [byKey, bySession] = [0, 0]
  for (let round = 0; round < 2; round++) {
    byKey += (await wrk(load)).perSecond
    bySession += (await wrk({ ...load, headers })).perSecond
  }
  await instance.end()
  return [ratioOf("requests with a session, of the same with a key", bySession, byKey, 0.83, "wrk")]
}
