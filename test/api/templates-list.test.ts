import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createTemplate } from "../harness/templates.ts"

const howMany = 130
const types = ["TRANSACTIONAL", "MARKETING", "HEADLESS"]

interface Page {
  data: { id: string; name: string }[]
  total: number
  page: number
  pageSize: number
  totalPages: number
}

describe("GET /templates: the page list (contract A1.4)", () => {
  let it: TestApp
  let newestFirst: string[]
  beforeAll(async () => {
    it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
    const ids: string[] = []
    for (let at = 0; at < howMany; at++) ids.push((await createTemplate(it, { type: types[at % 3] })).id)
    newestFirst = ids.reverse()
  })
  afterAll(() => it.close())

  const list = async (query: string): Promise<Page> => (await it.api(`GET /templates${query}`)).body
  const idsOf = ({ data }: Page) => data.map(({ id }) => id)

  test.each<[string, number]>([
    ["", 20],
    ["?pageSize=1", 1],
    ["?pageSize=007", 7],
    ["?pageSize=100", 100],
    ["?pageSize=101", 100],
    ["?pageSize=999999999999999999999", 100],
    ["?pageSize=", 20],
    ["?pageSize=0", 20],
    ["?pageSize=-3", 20],
    ["?pageSize=1.5", 20],
    ["?pageSize=abc", 20],
    ["?pageSize=1e1", 20],
    ["?pageSize=%205", 20],
    ["?pageSize=3&pageSize=50", 3],
    ["?limit=5&cursor=x", 20],
  ])("%j has pages of %d (contract A1.4.1)", async (query, pageSize) => {
    const page = await list(query)
    expect(page).toEqual({
      data: expect.anything(),
      total: howMany,
      page: 1,
      pageSize,
      totalPages: Math.ceil(howMany / pageSize),
    })
    expect(idsOf(page)).toEqual(newestFirst.slice(0, pageSize))
  })

  test.each<[string, number]>([
    ["page=1", 1],
    ["page=2", 2],
    ["page=02", 2],
    ["page=3", 3],
    ["page=", 1],
    ["page=0", 1],
    ["page=-1", 1],
    ["page=1.5", 1],
    ["page=abc", 1],
    ["page=2&page=3", 2],
  ])("%s of 60 each is the page %d (contract A1.4.1)", async (query, page) => {
    const found = await list(`?pageSize=60&${query}`)
    expect([found.page, found.pageSize, found.total, found.totalPages]).toEqual([page, 60, howMany, 3])
    expect(idsOf(found)).toEqual(newestFirst.slice((page - 1) * 60, page * 60))
  })

  test.each(["8", "1000000", "9007199254740993", "999999999999999999999999"])(
    "the page %s is past the end and empty (contract A1.4.5)",
    async (page) => {
      const answer = await it.api(`GET /templates?page=${page}`)
      expect([answer.status, answer.body.data, answer.body.total, answer.body.totalPages]).toEqual([
        200,
        [],
        howMany,
        7,
      ])
    },
  )

  test("a list without matches has no pages (contract A1.4.5)", async () => {
    expect(await list("?search=nowhere")).toEqual({ data: [], total: 0, page: 1, pageSize: 20, totalPages: 0 })
  })

  test("pages are counted correctly when the last one is full", async () => {
    expect((await list("?pageSize=65")).totalPages).toBe(2)
    expect((await list("?pageSize=64")).totalPages).toBe(3)
  })

  test.each(types)("the type %s filters, and counts the matches (contract A6.1)", async (type) => {
    const { total, data } = await list(`?type=${type}&pageSize=100`)
    expect(data.length).toBe(total)
    expect(new Set(data.map((one) => (one as unknown as { type: string }).type))).toEqual(new Set([type]))
    expect(total).toBe(type === "HEADLESS" ? 43 : type === "MARKETING" ? 43 : 44)
  })

  test.each(["NEWSLETTER", "marketing", "", "%20MARKETING", "MARKETING,HEADLESS"])(
    "the type %j filters nothing (contract A6.1)",
    async (type) => {
      expect((await list(`?type=${type}`)).total).toBe(howMany)
    },
  )

  test("listed templates are complete (contract A6.1)", async () => {
    const { data } = await list("?pageSize=1")
    expect(data).toEqual([(await it.api(`GET /templates/${newestFirst[0]}`)).body])
  })

  test("another project sees none of them", async () => {
    const other = await it.app.projects.create("Other")
    expect((await it.api("GET /templates", { key: other.secret })).body.total).toBe(0)
  })

  test("the list requires a secret key (contract A1.5)", async () => {
    for (const key of ["none", "pk", "sk_wrong"]) {
      const answer = await it.api("GET /templates", { key })
      expect([answer.status, answer.body.error.code]).toEqual([401, "INVALID_API_KEY"])
    }
  })
})

describe("GET /templates: order and search (contract A6.1)", () => {
  let it: TestApp
  /** Ids by the key of the seed. */
  const ids: Record<string, string> = {}
  const seed = {
    order: { name: "Order 100% shipped", subject: "Your order", description: "From the shop_floor" },
    alpha: { name: "alpha", subject: "First", description: null },
    oslo: { name: "ÅRSMØTE in Oslo", subject: "Straße frei", description: "\\ back and [brackets]" },
    beta: { name: "Beta", subject: "ΟΔΟΣ", description: "'quoted' \"twice\"" },
    twin1: { name: "twin", subject: "İstanbul", description: null },
    twin2: { name: "Twin", subject: "x", description: null },
  }
  beforeAll(async () => {
    it = await startTestApp()
    for (const [key, fields] of Object.entries(seed)) {
      ids[key] = (await createTemplate(it, fields)).id
      if (key !== "twin1") await it.advance({ seconds: 1 })
    }
    await it.api(`PATCH /templates/${ids.alpha}`, { body: { body: "<p>Changed</p>" } })
  })
  afterAll(() => it.close())

  const keys = async (query: string): Promise<string[]> => {
    const { data }: Page = (await it.api(`GET /templates?${query}`)).body
    return data.map(({ id }) => Object.keys(ids).find((key) => ids[key] === id) ?? "")
  }

  const byAge = ["order", "alpha", "oslo", "beta", "twin1", "twin2"]
  const newestFirst = byAge.toReversed()
  const byName = ["alpha", "beta", "order", "twin1", "twin2", "oslo"]
  const byChange = ["order", "oslo", "beta", "twin1", "twin2", "alpha"]
  test.each<[string, string[]]>([
    ["", newestFirst],
    ["sort=createdAt", newestFirst],
    ["dir=asc", byAge],
    ["dir=desc", newestFirst],
    ["sort=createdAt&dir=asc", byAge],
    ["sort=name", byName.toReversed()],
    ["sort=name&dir=asc", byName],
    ["sort=updatedAt", byChange.toReversed()],
    ["sort=updatedAt&dir=asc", byChange],
    ["sort=subject", newestFirst],
    ["sort=NAME&dir=ASC", newestFirst],
    ["sort=&dir=", newestFirst],
    ["sort=name&sort=updatedAt&dir=asc", byName],
  ])("%j is in order, ties by id", async (query, expected) => {
    expect(await keys(query)).toEqual(expected)
    expect([...(await keys(`${query}&pageSize=4`)), ...(await keys(`${query}&pageSize=4&page=2`))]).toEqual(expected)
  })

  test.each<[string, string[]]>([
    ["order", ["order"]],
    ["ORDER", ["order"]],
    ["  shipped  ", ["order"]],
    ["your ord", ["order"]],
    ["THE SHOP_FLOOR", ["order"]],
    ["shopXfloor", []],
    ["shop%floor", []],
    ["100%", ["order"]],
    ["%", ["order"]],
    ["_", ["order"]],
    ["\\", ["oslo"]],
    ["[brackets]", ["oslo"]],
    ["[b]rackets", []],
    ["*", []],
    ["'quoted'", ["beta"]],
    ['"TWICE"', ["beta"]],
    ["årsmøte", ["oslo"]],
    ["A\u030arsmøte", ["oslo"]],
    ["arsmote", []],
    ["STRASSE", ["oslo"]],
    ["οδοσ", ["beta"]],
    ["οδος", ["beta"]],
    ["twin", ["twin1", "twin2"]],
    ["", byAge],
    ["   ", byAge],
    ["nowhere", []],
    ["<p>", []],
    ["hi@acme.test", []],
  ])("the search for %j is literal, in any case", async (search, expected) => {
    expect(await keys(`dir=asc&search=${encodeURIComponent(search)}`)).toEqual(expected)
  })

  test("search, type and page work together", async () => {
    await createTemplate(it, { name: "Twin of another type", type: "HEADLESS" })
    const { data, total } = (
      await it.api("GET /templates?search=TWIN&type=MARKETING&pageSize=1&page=2&sort=name&dir=asc")
    ).body
    expect([total, data.map(({ name }: { name: string }) => name)]).toEqual([2, ["Twin"]])
  })

  test("a search finds the new values after a change, and no longer the old ones", async () => {
    await it.api(`PATCH /templates/${ids.order}`, { body: { name: "Dispatch", description: null } })
    expect(await keys("search=dispatch")).toEqual(["order"])
    expect(await keys("search=shop_floor")).toEqual([])
    expect(await keys("search=your%20order")).toEqual(["order"])
  })
})
