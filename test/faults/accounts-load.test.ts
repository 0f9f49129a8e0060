import { heapStats } from "bun:jsc"
import { expect, test } from "bun:test"
import { password, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

/** A sign-in from an address of its own, as behind no other. */
async function loginFrom(it: TestApp, client: string, email: string, given = "wrong password") {
  const answer = await it.app.fetch(
    new Request("http://localhost/auth/login", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
      body: JSON.stringify({ email, password: given }),
    }),
    client,
  )
  const { error } = (await answer.json()) as { error?: { code: string; details?: { retryAfter: number } } }
  return { status: answer.status, code: error?.code, retryAfter: answer.headers.get("retry-after") }
}

/** Two passwords are looked at, and all sign-ins that have come are counted: they wait for their turn, or are refused. */
async function untilCounted(it: TestApp, held: readonly unknown[]): Promise<void> {
  while (held.length < 2) await new Promise(setImmediate)
  // Units are committed in their order.
  await it.app.store.write("instance", async () => {})
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

test("More sign-ins than can be looked at are 503 with Retry-After, and the server goes on (contract B8.2)", async () => {
  const it = await startTestApp()
  const { verify } = Bun.password
  let inside = 0
  let most = 0
  Bun.password.verify = (async (...args: Parameters<typeof verify>) => {
    most = Math.max(most, ++inside)
    return verify(...args).finally(() => inside--)
  }) as typeof verify
  try {
    await signUp(it, "owner@acme.test")
    const crowd = await Promise.all(
      Array.from({ length: 200 }, (_, at) => loginFrom(it, `10.0.0.${at}`, `nobody${at}@example.com`)),
    )
    const refused = crowd.filter(({ status }) => status === 503)
    expect(crowd.length - refused.length).toBe(102)
    expect(crowd.filter(({ status }) => status === 401)).toHaveLength(102)
    for (const one of refused) expect(one).toEqual({ status: 503, code: "SERVICE_UNAVAILABLE", retryAfter: "5" })
    expect(most).toBe(2)
    expect((await loginFrom(it, "10.0.1.1", "owner@acme.test", password)).status).toBe(200)
  } finally {
    Bun.password.verify = verify
    await it.close()
  }
})

test("While the queue is full, a sign-in that is turned away counts as no failure", async () => {
  const it = await startTestApp()
  const { verify } = Bun.password
  const held: (() => void)[] = []
  try {
    await signUp(it, "owner@acme.test")
    // The hash that stands for nobody's is made by the first.
    await loginFrom(it, "10.0.0.1", "nobody@example.com")
    Bun.password.verify = (async (...args: Parameters<typeof verify>) => {
      await new Promise<void>((resolve) => held.push(resolve))
      return verify(...args)
    }) as typeof verify
    const crowd = Array.from({ length: 102 }, (_, at) => loginFrom(it, `10.0.0.${at}`, `nobody${at}@example.com`))
    await untilCounted(it, held)
    for (let time = 0; time < 12; time++)
      expect((await loginFrom(it, "10.0.2.1", "owner@acme.test", password)).status).toBe(503)
    Bun.password.verify = verify
    while (held.length > 0) held.pop()?.()
    await Promise.all(crowd)
    expect((await loginFrom(it, "10.0.2.1", "owner@acme.test", password)).status).toBe(200)
  } finally {
    Bun.password.verify = verify
    for (const go of held) go()
    await it.close()
  }
})

test("One client, with right passwords too, leaves room for others, who take turns with it (contract B8.2)", async () => {
  const it = await startTestApp()
  const { verify } = Bun.password
  const held: (() => void)[] = []
  const begun: string[] = []
  try {
    await signUp(it, "owner@acme.test")
    Bun.password.verify = (async (...args: Parameters<typeof verify>) => {
      begun.push(String(args[0]))
      await new Promise<void>((resolve) => held.push(resolve))
      return verify(...args)
    }) as typeof verify
    const crowd = Array.from({ length: 60 }, (_, at) => loginFrom(it, "10.0.0.1", `nobody${at}@example.com`))
    const other = loginFrom(it, "10.0.0.2", "owner@acme.test", password)
    const ended: number[] = []
    for (const one of [...crowd, other]) void one.then(({ status }) => ended.push(status))
    await untilCounted(it, held)
    expect(ended).toEqual(Array.from({ length: 10 }, () => 503))
    for (const go of held.splice(0)) go()
    while (held.length < 2) await new Promise(setImmediate)
    expect(begun.indexOf(password)).toBeWithin(2, 4)
    Bun.password.verify = verify
    for (const go of held.splice(0)) go()
    expect((await other).status).toBe(200)
    expect((await Promise.all(crowd)).filter(({ status }) => status === 401)).toHaveLength(50)
  } finally {
    Bun.password.verify = verify
    for (const go of held) go()
    await it.close()
  }
})

test("Of sign-ins that come at once, those that are turned away count as no failures (contract B8.2)", async () => {
  const it = await startTestApp()
  try {
    await signUp(it, "owner@acme.test")
    const statuses = async (name: string, count: number) => {
      const all = Array.from({ length: count }, (_, at) => loginFrom(it, "10.0.0.1", `${name}${at}@example.com`))
      return (await Promise.all(all)).map(({ status }) => status).toSorted()
    }
    const times = (count: number, status: number) => Array.from({ length: count }, () => status)
    expect(await statuses("a", 60)).toEqual([...times(50, 401), ...times(10, 503)])
    expect(await statuses("b", 50)).toEqual(times(50, 401))
    expect(await statuses("c", 1)).toEqual([429])
  } finally {
    await it.close()
  }
})

test("The memory of the limits of sign-ins does not grow with addresses and clients", async () => {
  const it = await startTestApp()
  try {
    await signUp(it, "owner@acme.test")
    const round = async (name: string, count: number) => {
      for (let at = 0; at < count; at += 50)
        await Promise.all(
          Array.from({ length: 50 }, (_, one) =>
            loginFrom(it, `${name}:${at + one}`, `${name}${at + one}@example.com`),
          ),
        )
    }
    const strings = () => {
      Bun.gc(true)
      return heapStats().objectTypeCounts.string ?? 0
    }
    await round("a", 500)
    const before = strings()
    await round("b", 3_000)
    // One string for each that was tried would be 3,000.
    expect(strings() - before).toBeLessThan(2_000)
  } finally {
    await it.close()
  }
}, 110_000)

test("200 sign-ins take as long for unknown addresses as for known ones", async () => {
  // A hash takes a few ms here, many times as much as all the rest.
  const it = await startTestApp({ overrides: { passwordCost: { memoryCost: 2_048, timeCost: 2 } } })
  try {
    await signUp(it, "owner@acme.test")
    const spent: Record<"known" | "unknown", number[]> = { known: [], unknown: [] }
    for (let at = 0; at < 100; at++) {
      const { id } = { id: `10.1.${at}.1` }
      // In turns, so that a machine that is busy for a while slows both.
      for (const kind of ["known", "unknown"] as const) {
        const email = kind === "known" ? "owner@acme.test" : `nobody${at}@example.com`
        const began = performance.now()
        expect((await loginFrom(it, `${id}${kind}`, email)).status).toBe(401)
        spent[kind].push(performance.now() - began)
      }
      // Ten failures lock an address: the owner signs in between.
      if (at % 9 === 8) expect((await loginFrom(it, `${id}owner`, "owner@acme.test", password)).status).toBe(200)
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length / 2] ?? 0
    const ratio = median(spent.unknown) / median(spent.known)
    // Without a hash for those who are unknown it is below a half.
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.4)
  } finally {
    await it.close()
  }
}, 110_000)
