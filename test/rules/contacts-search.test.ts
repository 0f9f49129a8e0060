import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { indexAll, seedContacts } from "../harness/contacts.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

/** A new project with `count` contacts, all of them indexed. */
async function project(count: number, emailOf: (at: number) => string) {
  const { id, secret } = await it.app.projects.create("Search")
  const born = it.clock.now()
  const people = await seedContacts(it, count, (at) => ({ email: emailOf(at), createdAt: born + at }), id)
  await indexAll(it)
  return {
    ids: people.map((one) => one.id),
    call: (route: string, body?: object) => it.api(route, { key: secret, body }),
    find: async (query: string) => (await it.api(`GET /contacts?${query}`, { key: secret })).body,
  }
}

describe("Searching contacts", () => {
  test("does not match an address that only contains the trigrams of a text", async () => {
    const { find } = await project(
      3,
      (at) => ["abcb.cbcd@example.com", "abcbcd@example.com", "bcdabc@example.com"][at] ?? "",
    )
    const { data, total } = await find("search=abcbcd")
    expect([data.map(({ email }: { email: string }) => email), total]).toEqual([["abcbcd@example.com"], 1])
  })

  test.each(["sort=createdAt&dir=asc", "sort=createdAt&dir=desc", "sort=email&dir=asc", "sort=email&dir=desc"])(
    "loses no contact where one step of a long search ends and the next begins (%s)",
    async (order) => {
      // The first that is found ends the first step, from either side, and more are found than would be sorted.
      const [from, to, count] = [499, 2_500, 3_000]
      const digits = (at: number) => String(at).padStart(4, "0")
      const { ids, find } = await project(
        count,
        (at) => `${digits(at)}${at < from || at > to ? "no" : "yes"}@example.com`,
      )
      const wanted = ids.slice(from, to + 1)
      if (order.endsWith("desc")) wanted.reverse()
      const seen: string[] = []
      for (let cursor = ""; ; ) {
        const page = await find(`search=yes&limit=100&${order}${cursor}`)
        if (cursor === "") expect(page.total).toBe(wanted.length)
        seen.push(...page.data.map(({ id }: { id: string }) => id))
        if (!page.hasMore) break
        cursor = `&cursor=${page.cursor}`
      }
      expect(seen).toEqual(wanted)
    },
  )

  test("counts a very common text once, and later only changes", async () => {
    const count = 1_500
    const { ids, call, find } = await project(count, (at) => `person${at}@example.com`)
    const totals = async () => {
      const of = async (filter: string) => (await find(`search=person${filter}&limit=1`)).total
      return [await of(""), await of("&subscribed=true"), await of("&subscribed=false")]
    }
    expect(await totals()).toEqual([count, count, 0])
    expect(await totals()).toEqual([count, count, 0])
    await call("POST /contacts", { email: "personal@example.com", subscribed: false })
    await call("POST /contacts", { email: "other@example.com" })
    expect(await totals()).toEqual([count + 1, count, 1])
    await call(`PATCH /contacts/${ids[0]}`, { subscribed: false })
    expect(await totals()).toEqual([count + 1, count - 1, 2])
    await call(`PATCH /contacts/${ids[0]}`, { subscribed: true })
    await call(`PATCH /contacts/${ids[1]}`, { subscribed: false })
    expect(await totals()).toEqual([count + 1, count - 1, 2])
    await call(`DELETE /contacts/${ids[1]}`)
    expect(await totals()).toEqual([count, count - 1, 1])
    await call(`PATCH /contacts/${ids[2]}`, { email: "nobody@example.com" })
    expect(await totals()).toEqual([count - 1, count - 2, 1])
    await call(`PATCH /contacts/${ids[2]}`, { email: "personage@example.com" })
    expect(await totals()).toEqual([count, count - 1, 1])
  })

  test.each([
    ["few", "zq"],
    ["more than are sorted in memory", "ab"],
    ["none", "qz"],
  ])("of two characters in a large project finds and counts what contains them: %s", async (_, search) => {
    const emailOf = (at: number) => `${at % 700 === 3 ? "zq" : at % 3 === 0 ? "ab" : "cd"}${at}@example.com`
    const { ids, call, find } = await project(6_000, emailOf)
    const wanted = ids.filter((_id, at) => emailOf(at).includes(search))
    const unsubscribed = wanted.slice(0, 2)
    for (const id of unsubscribed) await call(`PATCH /contacts/${id}`, { subscribed: false })
    const first = await find(`search=${search}&sort=createdAt&dir=asc&limit=100`)
    expect([first.data.map(({ id }: { id: string }) => id), first.total]).toEqual([wanted.slice(0, 100), wanted.length])
    if (first.hasMore) {
      const next = await find(`search=${search}&sort=createdAt&dir=asc&limit=100&cursor=${first.cursor}`)
      expect(next.data.map(({ id }: { id: string }) => id)).toEqual(wanted.slice(100, 200))
    }
    const others = await find(`search=${search}&subscribed=false&sort=createdAt&dir=asc`)
    expect([others.data.map(({ id }: { id: string }) => id), others.total]).toEqual([unsubscribed, unsubscribed.length])
    const subscribed = await find(`search=${search}&subscribed=true&limit=1`)
    expect(subscribed.total).toBe(wanted.length - unsubscribed.length)
  })

  test("does not cache a count during which a contact changed its state", async () => {
    const count = 12_000
    const { ids, call, find } = await project(count, (at) => `flipper${at}@example.com`)
    let counted = false
    const first = find("search=flipper&limit=1").finally(() => {
      counted = true
    })
    // Whom the count has met among the subscribed, it may meet again among the others.
    for (const id of ids.slice(0, 400)) {
      if (counted) break
      await call(`PATCH /contacts/${id}`, { subscribed: false })
    }
    await first
    expect((await find("search=flipper&limit=1")).total).toBe(count)
  })

  test("does not mix projects that have the same addresses", async () => {
    const [one, other] = [
      await project(30, (at) => `same${at}@example.com`),
      await project(1_200, (at) => `same${at}@example.com`),
    ]
    for (const search of ["same", "same1", "@example", "e"]) {
      const mine = await one.find(`search=${search}&limit=100`)
      expect(mine.data.every(({ id }: { id: string }) => one.ids.includes(id))).toBe(true)
      expect(mine.total).toBe(mine.data.length)
      const theirs = await other.find(`search=${search}&limit=100`)
      expect(theirs.data.every(({ id }: { id: string }) => other.ids.includes(id))).toBe(true)
      expect(theirs.total).toBeGreaterThan(mine.total)
    }
  })
})
