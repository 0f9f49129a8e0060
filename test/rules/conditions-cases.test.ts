import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Condition, ConditionJson } from "../../src/conditions/index.ts"
import { askingBoth, type BothReaders, type Person, person, type TestSegments, treeOf } from "../harness/conditions.ts"
import { openTestStore, scratch, type TestStore } from "../harness/store.ts"

const now = Date.parse("2025-06-15T12:00:00.000Z")
const on = (monthDay: string, time = "00:00"): number => Date.parse(`2025-${monthDay}T${time}:00.000Z`)

/** The people of contract B2.6. */
const people: Record<string, Person> = {
  A: person("ann@acme.test", true, "2025-06-14T12:00:00.000Z", {
    data: {
      plan: "pro",
      n: 5,
      vip: true,
      profile: { tier: "gold" },
      seen: "2025-06-14T12:00:00Z",
      tags: ["x"],
    },
    events: [
      { name: "buy", at: on("06-01") },
      { name: "buy", at: on("06-14", "13:00") },
    ],
    mails: [{ sent: on("06-10"), delivered: on("06-10"), opened: on("06-12") }],
  }),
  B: person("bob@beta.test", false, "2025-06-01T00:00:00.000Z", {
    data: { plan: "Pro Max", n: "5", vip: "true", seen: "2025-06-08T11:59:59.999Z" },
    events: [{ name: "buy", at: on("05-01") }],
    mails: [{ sent: on("06-01"), bounced: on("06-01") }],
  }),
  C: person("cat@acme.test", true, "2025-05-15T23:59:59.999Z", {
    data: { plan: "free", n: 10, vip: false, profile: "gold", seen: "2025-06-08" },
    events: [{ name: "plan.up", at: on("06-15", "11:59") }],
    mails: [
      {
        sent: on("06-08", "12:00"),
        delivered: on("06-08", "12:00"),
        opened: on("06-08", "12:00"),
        clicked: on("06-15", "11:00"),
      },
    ],
  }),
  D: person("dan@beta.test", true, "2025-06-08T12:00:00.000Z", { data: {} }),
  E: person("eve@gamma.test", false, "2024-01-01T00:00:00.000Z", {
    data: { plan: "Élan", n: -1.5, vip: 1, seen: "2025-07-01T00:00:00.000Z" },
    events: [{ name: "buy", at: on("06-08", "12:00") }],
    mails: [{ sent: on("01-01"), delivered: on("01-01"), complained: on("01-02") }],
  }),
}

const segmentIds: Record<string, string> = {
  S1: "00000000-0000-7000-8000-000000000001",
  S2: "00000000-0000-7000-8000-000000000002",
  S3: "00000000-0000-7000-8000-000000000003",
}

/** The cases of contract B2.6. */
const cases = `
1 email equals "ANN@acme.test" => A
2 email equals " ann@acme.test " => A
3 email notEquals "ann@acme.test" => BCDE
4 email contains "BETA" => BD
5 email notContains "acme" => BDE
6 email equals null => -
7 subscribed equals true => ACD
8 subscribed equals false => BE
9 subscribed notEquals true => BE
10 createdAt equals "2025-06-01" => B
11 createdAt equals "2025-06-08T23:00:00Z" => D
12 createdAt equals "2025-05-16T01:30:00+02:00" => C
13 createdAt notEquals "2025-06-01" => ACDE
14 createdAt greaterThan "2025-06-08T12:00:00.000Z" => A
15 createdAt greaterThanOrEqual "2025-06-08T12:00:00.000Z" => AD
16 createdAt lessThan "2025-06-01" => CE
17 createdAt lessThanOrEqual "2025-06-01" => BCE
18 createdAt within 7 days => AD
19 createdAt olderThan 7 days => BCE
20 createdAt within 24 hours => A
21 updatedAt within 1439 minutes => -
22 updatedAt olderThan 31 days => E
23 data.plan equals "pro" => A
24 data.plan equals "PRO" => -
25 data.plan notEquals "pro" => BCE
26 data.plan contains "PRO" => AB
27 data.plan notContains "pro" => CE
28 data.plan contains "élan" => -
29 data.plan contains "ÉLAN" => E
30 data.plan contains "" => ABCE
31 data.n equals 5 => A
32 data.n equals "5" => B
33 data.n equals 5.0 => A
34 data.n notEquals 5 => BCE
35 data.n greaterThan 4 => AC
36 data.n gt 5 => C
37 data.n greaterThanOrEqual 5 => AC
38 data.n lt 6 => AE
39 data.n lessThanOrEqual -1.5 => E
40 data.n greaterThan "4" => B
41 data.n contains "5" => B
42 data.n notContains "5" => ACE
43 data.vip equals true => A
44 data.vip equals 1 => E
45 data.vip equals "true" => B
46 data.vip equals false => C
47 data.vip notEquals true => BCE
48 data.vip greaterThan 0 => E
49 data.plan greaterThan "a" => ACE
50 data.profile.tier equals "gold" => A
51 data.profile equals "gold" => C
52 data.profile notEquals "gold" => A
53 data.profile notContains "gold" => A
54 data.profile exists => AC
55 data.profile.tier notExists => BCDE
56 data.tags exists => A
57 data.tags.0 exists => -
58 data.tags contains "x" => -
59 data.nope notExists => ABCDE
60 data.nope notEquals 1 => -
61 data.nope equals null => -
62 data.plan notEquals null => -
63 data.constructor exists => -
64 data.seen within 7 days => AE
65 data.seen olderThan 7 days => B
66 data.seen olderThan 0 minutes => AB
67 data.n within 7 days => -
68 data.seen greaterThan "2025-06-08" => ABE
69 event.buy triggered => ABE
70 event.buy notTriggered => CD
71 event.buy triggeredWithin 7 days => AE
72 event.buy triggeredOlderThan 7 days => B
73 event.buy notTriggeredWithin 7 days => BCD
74 event.BUY triggered => -
75 event.plan.up triggeredWithin 5 minutes => C
76 event.never notTriggered => ABCDE
77 event.never triggeredOlderThan 1 days => -
78 email.sent triggered => ABCE
79 email.open triggeredWithin 7 days => AC
80 email.opened triggeredWithin 5 days => A
81 email.clicked notTriggered => ABDE
82 email.bounced triggered => B
83 email.complaint triggeredOlderThan 30 days => E
84 email.delivered notTriggeredWithin 30 days => BDE
85 segment.S1 memberOfSegment => AD
86 segment.S1 notMemberOfSegment => BCE
87 segment.S2 memberOfSegment => AB
88 segment.S3 notMemberOfSegment => -
89 AND [data.plan contains "pro"] [subscribed equals true] => A
90 OR [data.plan equals "free"] [subscribed equals false] => BCE
91 OR [subscribed equals true & email contains "acme"] [data.n lt 0] => ACE
92 AND [subscribed equals true & OR [data.plan equals "pro"] [data.plan equals "free"]] => AC
93 AND [OR [event.buy triggered] [email.opened triggered]] [subscribed equals false] => BE
94 OR [event.buy notTriggered & AND [data.plan exists] [data.vip equals false]] [segment.S2 memberOfSegment & data.vip equals true] => AC
`

/** A condition in the notation of the cases: `[...]` is a group, `&` joins its filters and its nested root. */
function conditionIn(text: string): ConditionJson {
  const tokens = text.match(/"[^"]*"|[[\]&]|[^\s[\]&]+/g) ?? []
  const take = (): string => tokens.shift() ?? ""
  const isRoot = (): boolean => tokens[0] === "AND" || tokens[0] === "OR"

  function root(): ConditionJson {
    const condition: ConditionJson = { logic: take() as "AND" | "OR", groups: [] }
    while (tokens[0] === "[") {
      take()
      condition.groups.push(group())
      take()
    }
    return condition
  }

  function group(): ConditionJson["groups"][number] {
    const one: ConditionJson["groups"][number] = { filters: [] }
    while (true) {
      if (isRoot()) one.conditions = root()
      else one.filters.push(filter())
      if (tokens[0] !== "&") return one
      take()
    }
  }

  function filter(): ConditionJson["groups"][number]["filters"][number] {
    const field = take().replace(/^segment\.(S\d)$/, (_, name) => `segment.${segmentIds[name]}`)
    const one = { field, operator: take() }
    const rest: string[] = []
    while (tokens[0] !== undefined && tokens[0] !== "&" && tokens[0] !== "]") rest.push(take())
    const [value, unit] = rest
    return { ...one, ...(value ? { value: JSON.parse(value) } : {}), ...(unit ? { unit } : {}) }
  }

  return isRoot() ? root() : { logic: "AND", groups: [group()] }
}

const folder = scratch()
let store: TestStore
let both: BothReaders
beforeAll(async () => {
  store = await openTestStore(folder())
  const segments: TestSegments = new Map<string, readonly string[] | Condition>([
    [segmentIds.S1 ?? "", ["ann@acme.test", "dan@beta.test"]],
    [segmentIds.S2 ?? "", treeOf(conditionIn('data.plan contains "pro"'))],
  ])
  both = await askingBoth(store, segments)
})
afterAll(() => store.close())

const lines = cases.trim().split("\n")

test("all worked cases of the contract are here", () => {
  expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(Array.from({ length: 94 }, (_, at) => at + 1))
})

describe("both evaluations find the contacts that the contract names:", () => {
  beforeAll(() => both.fill(Object.values(people)))

  test.each(lines)("%s", async (line) => {
    const [, text = "", letters = ""] = /^\d+ (.*) => (\S+)$/.exec(line) ?? []
    const tree = treeOf(conditionIn(text))
    const wanted = letters === "-" ? [] : [...letters].map((letter) => people[letter]?.email ?? letter)
    expect(await both.bySql(tree, now)).toEqual(wanted)
    expect(both.byFacts(tree, now)).toEqual(wanted)
    expect(await both.undecided(tree, now)).toEqual([])
  })
})
