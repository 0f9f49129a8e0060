import "../../src/dashboard/parts/code/json-parser.ts"
import { describe, expect, test } from "bun:test"
import { type Column, columnsOf, readFile, whyLeftOut } from "../../src/dashboard/pages/contacts/import/columns.ts"
import { convert, unsubscribedIn } from "../../src/dashboard/pages/contacts/import/conversion.ts"
import { recordsOf, writeCsv } from "../../src/dashboard/pages/contacts/import/csv.ts"
import { inFile, writeSkipped } from "../../src/dashboard/pages/contacts/import/skipped.ts"
import { timeColumns, timeOf } from "../../src/dashboard/pages/contacts/import/times.ts"
import {
  countOf,
  everyone,
  isSelected,
  nobody,
  targetOf,
  tooMany,
  withIds,
} from "../../src/dashboard/pages/contacts/selection.ts"
import { csvOf } from "../../src/dashboard/parts/chart/series.ts"
import { asKind, blankDraft, draftsOf, editDraft, keyFault, readDrafts } from "../../src/dashboard/parts/data/draft.ts"
import { readJson } from "../../src/dashboard/parts/data/json-text.ts"
import { formatValue, isDate, kindOf } from "../../src/dashboard/parts/data/kinds.ts"
import { isContested, patchFor } from "../../src/dashboard/parts/data/patch.ts"
import { countRows, slicesOf } from "../../src/modules/imports/slices.ts"

const inFull = { day: "numeric", month: "short", year: "numeric" } as const

describe("the kind of a value", () => {
  test.each([
    ["x", "string"],
    ["2026-02-30", "string"],
    ["2026-01-31", "date"],
    ["2026-01-31T10:00:00Z", "date"],
    ["2026-01-31T10:00:00+01:00", "string"],
    [0, "number"],
    [false, "boolean"],
    [null, "nothing"],
    [[], "list"],
    [{}, "object"],
  ])("of %j is %s", (value, kind) => {
    expect(kindOf(value)).toBe(kind as ReturnType<typeof kindOf>)
  })

  test("determines its text in a table", () => {
    expect([true, 41.5, "2026-01-31", ["a", 1, null, ""], { a: 1 }, null].map(formatValue)).toEqual([
      "Yes",
      "41.5",
      new Date("2026-01-31").toLocaleDateString(undefined, { ...inFull, timeZone: "UTC" }),
      'a, 1, null, ""',
      '{"a":1}',
      "",
    ])
  })

  test("times have their zone", () => {
    expect(formatValue("2026-01-31T10:20:00Z")).toEndWith(" UTC")
  })

  test("date needs a day that exists", () => {
    expect([isDate("2024-02-29"), isDate("2023-02-29"), isDate("2026-13-01")]).toEqual([true, false, false])
  })
})

describe("data in drafts", () => {
  const data = {
    name: "Ada",
    score: -0.5,
    vip: false,
    since: "2026-01-31T10:00:00.000Z",
    profile: { tier: "", none: null, address: { zip: "0150" } },
    tags: ["a", 1, [true]],
    empty: {},
  }

  test("are read as they were", () => {
    expect(readDrafts(draftsOf(data))).toEqual({ data, faults: new Map() })
  })

  test("left empty are no fields at the top level, and empty values inside", () => {
    const drafts = [blankDraft("a", "string"), blankDraft("b", "number"), blankDraft("c", "date")]
    const inside = { ...blankDraft("d", "object"), inner: [blankDraft("e", "string")] }
    expect(readDrafts([...drafts, inside])).toEqual({ data: { d: { e: "" } }, faults: new Map() })
  })

  test.each(["many", "1,5", "0x10", "1e999", "--1"])("are not a number when %j is typed", (text) => {
    const draft = { ...blankDraft("score", "number"), text }
    expect(readDrafts([draft]).faults.get(draft.id)).toBe("This is not a number.")
  })

  test.each(["9007199254740993", "-12345678901234567", "+00012345678901234567"])(
    "are not stored as another number when %s is typed",
    (text) => {
      const draft = { ...blankDraft("customer", "number"), text }
      expect(readDrafts([draft]).faults.get(draft.id)).toBe("Too long for a number: make it a text.")
    },
  )

  test("with numbers beyond those that are typed stay as they are", () => {
    const data = { a: 9007199254740991, b: 12345678901234568, c: 1234567890123456800, d: 1e21, e: -1e300 }
    expect(readDrafts(draftsOf(data))).toEqual({ data, faults: new Map() })
  })

  test("that the server would not store are refused", () => {
    const [draft] = draftsOf({ code: { value: 1, persistent: false } })
    expect(readDrafts(draft ? [draft] : []).faults.size).toBe(1)
    expect(readDrafts(draftsOf({ code: { value: 1, persistent: true } })).faults.size).toBe(0)
  })

  test("are edited and removed at any depth, the others staying the same objects", () => {
    const drafts = draftsOf(data)
    const zip = drafts.find(({ key }) => key === "profile")?.inner[2]?.inner[0]
    const changed = editDraft(drafts, zip?.id ?? "", (draft) => ({ ...draft, text: "5003" }))
    expect(readDrafts(changed).data).toEqual({ ...data, profile: { ...data.profile, address: { zip: "5003" } } })
    expect(changed[0]).toBe(drafts[0] as (typeof drafts)[number])
    const without = editDraft(drafts, zip?.id ?? "", () => null)
    expect(readDrafts(without).data.profile).toEqual({ ...data.profile, address: {} })
  })

  test.each([
    ["41", "number", 41],
    ["yes", "boolean", true],
    ["2026-01-31", "date", "2026-01-31"],
    ["x", "list", ["x"]],
    [{ a: 1 }, "list", [1]],
    [["x"], "object", { 0: "x" }],
    [true, "string", "yes"],
    [["x"], "string", "x"],
  ] as const)("%j becomes a %s", (value, kind, wanted) => {
    const drafts = draftsOf({ key: value }).map((draft) => asKind(draft, kind))
    expect(readDrafts(drafts).data.key).toEqual(wanted as never)
  })

  test.each([
    ["EUR", ["number", "date", "boolean", "list", "object"]],
    [41.5, ["boolean", "date", "string", "list"]],
    [true, ["number", "list", "string"]],
    [
      ["a", 1],
      ["string", "object", "number"],
    ],
    [{ "1": "a", b: { c: 1 } }, ["list", "string", "boolean"]],
  ] as const)("%j is the same again on the way back from %p", (value, kinds) => {
    const [draft] = draftsOf({ key: value })
    if (!draft) throw new Error("there is one")
    const back = [...kinds, draft.kind].reduce(asKind, draft)
    expect(readDrafts([back])).toEqual({ data: { key: value }, faults: new Map() })
  })

  test("that are invalid for their type are refused, not removed", () => {
    const [draft] = draftsOf({ key: "EUR" })
    const faultAs = (kind: "number" | "date") => {
      const drafts = draft ? [asKind(draft, kind)] : []
      return [...readDrafts(drafts).faults.values()]
    }
    expect(faultAs("number")).toEqual(["This is not a number."])
    expect(faultAs("date")).toEqual(["“EUR” is not a date."])
  })

  test("an item gets a unique name when a list becomes an object", () => {
    const list = { ...blankDraft("key", "list"), inner: [blankDraft("1", "string"), blankDraft("", "string")] }
    expect(readDrafts([asKind(list, "object")]).data).toEqual({ key: { 1: "", 2: "" } })
  })
})

describe("a patch", () => {
  test("contains changed keys, and null for removed ones", () => {
    const stored = { a: 1, b: { x: [1, 2] }, c: "c", d: true }
    expect(patchFor(stored, { a: 1, b: { x: [1, 3] }, d: true, e: "new" })).toEqual({
      b: { x: [1, 3] },
      e: "new",
      c: null,
    })
  })

  test("conflicts where another user changed the same key to another value", () => {
    const base = { plan: "free", seats: 3 }
    const isAgainst = (stored: Record<string, unknown>, patch: Record<string, unknown>) =>
      isContested(base, stored, patch)
    expect(isAgainst({ plan: "team", seats: 3 }, { plan: "pro" })).toBe(true)
    expect(isAgainst({ plan: "team", seats: 3 }, { plan: "team" })).toBe(false)
    expect(isAgainst({ plan: "free", seats: 4, city: "Oslo" }, { plan: "pro" })).toBe(false)
    expect(isAgainst({ seats: 3 }, { plan: "pro" })).toBe(true)
    expect(isAgainst({ seats: 3 }, { plan: null })).toBe(false)
    expect(isAgainst({ ...base, city: "Oslo" }, { city: "Bergen" })).toBe(true)
  })

  test("is null when nothing changed, with the keys in any order", () => {
    expect(patchFor({ a: { x: 1, y: [] } }, { a: { y: [], x: 1 } })).toBeNull()
    expect(patchFor({ a: [] }, { a: {} })).toEqual({ a: {} })
  })
})

test.each([
  ["", [], true, true],
  ["plan", ["plan"], true, true],
  ["x".repeat(256), [], true, true],
  ["💌".repeat(255), [], true, false],
  ["manageUrl", [], true, true],
  ["manageUrl", [], false, false],
  ["locale", [], true, false],
])("whether the key %j in addition to %j is refused: %p, %p", (key, taken, top, refused) => {
  expect(keyFault(key, taken, top) !== null).toBe(refused)
})

describe("data as JSON", () => {
  test("is an object, without reserved keys", () => {
    expect(readJson("[]")).toEqual({ fault: "The data of a contact is an object: { … }" })
    expect(readJson('{"id":1}')).toEqual({ fault: "“id” is reserved and never stored." })
    expect(readJson(" ")).toEqual({ data: {} })
    expect(readJson('{"a":null,"b":"","c":{"d":null}}')).toEqual({ data: { c: { d: null } } })
  })

  test.each([
    ['{\n  "a": 1,\n}', "Line 3, column 1: A key in double quotes is expected here."],
    ['{"a":\n  tru\n}', "Line 2, column 3: Texts stand in double quotes."],
    ['{"a":', "Line 1, column 6: The text ends too early."],
    ['{"a": 1} x', "Line 1, column 10: Nothing may follow."],
  ])("that cannot be read is refused with the place where: %j", (text, fault) => {
    expect(readJson(text)).toEqual({ fault })
  })
})

describe("the selection", () => {
  const filter = { search: "north", subscribed: false }

  test("is some ids, or all except some", () => {
    const some = withIds(withIds(nobody, ["a", "b"], true), ["a"], false)
    expect([isSelected(some, "a"), isSelected(some, "b"), countOf(some, 9)]).toEqual([false, true, 1])
    expect(targetOf(some, filter)).toEqual({ mode: "ids", contactIds: ["b"] })
    const all = withIds(withIds(everyone, ["a", "b"], false), ["a"], true)
    expect([isSelected(all, "a"), isSelected(all, "b"), countOf(all, 9)]).toEqual([true, false, 8])
    expect(targetOf(all, filter)).toEqual({
      mode: "query",
      filter: { find: "north", subscribed: false },
      excludeIds: ["b"],
    })
    expect(targetOf(everyone, { search: "", subscribed: null })).toEqual({
      mode: "query",
      filter: {},
      excludeIds: [],
    })
  })

  test("may have a thousand ids", () => {
    const ids = Array.from({ length: 1001 }, (_, number) => String(number))
    expect(tooMany(withIds(nobody, ids.slice(1), true))).toBeNull()
    expect(tooMany(withIds(nobody, ids, true))).toContain("1,000")
    expect(tooMany(withIds(everyone, ids, false))).toBeNull()
  })
})

test.each([
  [
    "email,plan\na@b.test,pro\n",
    [
      ["email", "plan"],
      ["a@b.test", "pro"],
    ],
  ],
  [
    "email , plan\r\n\r\n,,\r\na, b",
    [
      ["email", "plan"],
      ["a", "b"],
    ],
  ],
  ['"a ""b""\nc",d\n', [['a "b"\nc', "d"]]],
  ["one\ntwo\nthree\n", [["one"], ["two"], ["three"]]],
  ["", []],
])("the first records of %j", (text, records) => {
  expect(recordsOf(text, ",", 3)).toEqual(records)
})

test("no more records are read than asked for", () => {
  expect(recordsOf("a\nb\nc", ",", 2)).toEqual([["a"], ["b"]])
})

test("an unclosed quote is distinguished from the end of a file, by its line", () => {
  expect(recordsOf('"a\n""b""",c\r\n\r\nd,"e\nf', ",")).toBe(4)
  expect(recordsOf('"a', ",")).toBe(1)
})

test("written CSV is read back unchanged", () => {
  const records = [
    ["a", 'b "c"', "d, e"],
    ["f\r\ng", "", "h"],
  ]
  expect(recordsOf(writeCsv(records), ",")).toEqual(records)
})

test("rejected rows have their numbers in the file, each row that was left out being looked at once", () => {
  const errors = [2, 3, 5].map((row) => ({ row, email: "", reason: "invalid_email" as const }))
  let looked = 0
  const leftOut = new Proxy([0, 1, 3, 6, 9, ...Array.from({ length: 100 }, (_, at) => 20 + at)], {
    get(rows, at) {
      looked++
      return Reflect.get(rows, at)
    },
  })
  expect(inFile(errors, leftOut).map(({ row }) => row)).toEqual([4, 6, 9])
  expect(looked).toBeLessThan(10)
  expect(inFile(errors)).toEqual(errors)
})

test("no cell of a downloaded CSV is a formula", () => {
  for (const cell of ["=HYPERLINK(1)", "+1", "-1", "@sum", "\tx", "\rx"]) {
    const rows = recordsOf(writeSkipped([{ row: 2, email: cell, reason: "invalid_email" }]), ",")
    expect(rows).toMatchObject([{}, { 1: `'${cell}`.trim() }])
    const unit = "day"
    const chart = csvOf({ points: ["2026-01-31"], unit, series: [{ label: cell, values: [1], tone: "first" }] })
    expect(recordsOf(chart, ",")).toMatchObject([{ 1: `'${cell}`.trim() }, {}])
  }
  expect(writeSkipped([{ row: 2, email: "ada", reason: "invalid_email" }])).toContain("2,ada,")
})

test.each(["E-Mail", "E-Mail Address", "Email Address", "Email ", "e_mail", "mail", "EMAIL ADDRESS"])(
  "a column %j is the address",
  (name) => {
    expect(columnsOf({ head: ["Name", name], rows: [] }).map(({ field }) => field)).toEqual(["Name", "email"])
  },
)

test("no column is taken for the address where one is named email, or where several may be it", () => {
  for (const head of [
    ["E-Mail", "EMAIL"],
    ["E-Mail", "Mail"],
    ["Mail sent at", "Address"],
  ])
    expect(columnsOf({ head, rows: [] }).map(({ field }) => field)).toEqual(head)
})

test("where no name tells, the only column that holds addresses is the address", () => {
  const head = ["Customer", "Login", "Manager"]
  const fieldsOf = (...rows: string[][]) => columnsOf({ head, rows }).map(({ field }) => field)
  expect(fieldsOf(["Ada", "ada@x.test", "bo"], ["Bo", "bo@x.test", ""])).toEqual(["Customer", "email", "Manager"])
  expect(fieldsOf(["Ada", "ada@x.test", "bo"], ["Bo", "bo", ""])).toEqual(head)
  expect(fieldsOf(["Ada", "ada@x.test", "bo@x.test"])).toEqual(head)
  expect(fieldsOf()).toEqual(head)
})

test("a ticked column that is left out says why", () => {
  const columns = columnsOf({ head: ["Email", "plan", "plan", "", "id", "svc_id", "email", "note"], rows: [] })
  const chosen = columns.map((column, at) => ({ ...column, isTaken: at !== 7 }))
  expect(chosen.map((_, at) => whyLeftOut(chosen, at))).toEqual([
    "another column has the same name",
    "another column has the same name",
    null,
    "it has no name",
    "an import never sets it",
    "its name is reserved or too long",
    null,
    null,
  ])
})

describe("a file before its import", () => {
  const head = ["email", "Opt-in", "unsubscribed_at", "Plan"]
  const rows = [
    ["a@x.test", "yes", "", "pro"],
    ["b@x.test", "No", "", "free, for now"],
    ["c@x.test", "1", "2026-01-31", ""],
  ]
  const read = (separator: string) => ({
    file: new File(["as it was"], "people.tsv"),
    isPlain: separator === ",",
    head,
    rows,
  })
  const columns: readonly Column[] = columnsOf({ head, rows })

  test("lists the rows that are marked as unsubscribed", () => {
    expect(unsubscribedIn(read(","), columns)).toEqual([
      { row: 1, email: "b@x.test" },
      { row: 2, email: "c@x.test" },
    ])
  })

  test("takes the status by which another tool no longer writes to somebody for a mark of it", () => {
    const status = ["enabled", "blocklisted", "disabled", "subscribed", "unsubscribed", "cleaned", "Bounced", ""]
    const rows = status.map((value, at) => [`${at}@x.test`, value])
    const head = ["email", "status"]
    const marked = unsubscribedIn({ ...read(","), head, rows }, columnsOf({ head, rows }))
    expect(marked.map(({ row }) => status[row])).toEqual([
      "blocklisted",
      "disabled",
      "unsubscribed",
      "cleaned",
      "Bounced",
    ])
  })

  test.each([
    ["Mailchimp", "UNSUB_TIME", "2023-01-02 10:11:12", ""],
    ["Mailchimp", "CLEAN_TIME", "2023-01-02 10:11:12", ""],
    ["HubSpot", "Unsubscribed from all email", "true", "false"],
    ["HubSpot", "Opted out of email: Marketing Information", "true", "false"],
    ["Brevo", "EMAIL_BLACKLISTED", "Yes", "No"],
    ["Brevo", "emailBlacklisted", "true", "false"],
    ["Klaviyo", "Email Marketing Consent", "UNSUBSCRIBED", "SUBSCRIBED"],
    ["Shopify", "Accepts Email Marketing", "no", "yes"],
    ["Shopify", "Accepts Marketing", "no", "yes"],
    ["Ghost", "subscribed_to_emails", "false", "true"],
    ["Substack", "email_disabled", "true", "false"],
    ["Zoho", "Email Opt Out", "true", "false"],
    ["Salesforce", "HasOptedOutOfEmail", "1", "0"],
    ["Intercom", "unsubscribed_from_emails", "true", "false"],
    ["Constant Contact", "Confirmed Opt-Out Date", "2023-01-02", ""],
    ["Campaign Monitor", "Date Unsubscribed", "2023-01-02 10:11", ""],
    ["Buttondown", "unsubscription_date", "2023-01-02", ""],
    ["MailPoet", "List status", "Unsubscribed", "Subscribed"],
    ["MailPoet", "Global status", "Bounced", "Unconfirmed"],
    ["Kit", "state", "cancelled", "active"],
    ["beehiiv", "status", "inactive", "pending"],
    ["MailerLite", "Status", "Junk", "Unconfirmed"],
    ["FluentCRM", "status", "spammed", "transactional"],
    ["Sendy", "Status", "Marked as spam", "Unconfirmed"],
    ["Keila", "Status", "unreachable", "active"],
    ["others", "Opt-out date?", "2023-01-02", ""],
    ["others", "Email subscriber status", "Unsubscribed", "Subscribed"],
    ["others", "Unsubscribe date", "2023-01-02", ""],
    ["others", "Subscription status", "Unsubscribed", "Active"],
    ["Ghost, saved by Excel in German", "subscribed_to_emails", "FALSCH", "WAHR"],
    ["Ghost, saved by Excel in French", "subscribed_to_emails", "FAUX", "VRAI"],
    ["Ghost, saved by Excel in Polish", "subscribed_to_emails", "FAŁSZ", "PRAWDA"],
    ["Ghost, saved by Excel in Turkish", "subscribed_to_emails", "YANLIŞ", "DOĞRU"],
    ["HubSpot, saved by Excel in Russian", "Unsubscribed from all email", "ИСТИНА", "ЛОЖЬ"],
    ["Substack, saved by Excel in Spanish", "email_disabled", "VERDADERO", "FALSO"],
  ])("of %s tells by its column %j whom they no longer write to", (_, name, gone, stays) => {
    const head = ["Email", name]
    const marked = (cell: string) =>
      unsubscribedIn({ ...read(","), head, rows: [["a@x.test", cell]] }, columnsOf({ head, rows: [] }))
    expect(marked(gone)).toEqual([{ row: 0, email: "a@x.test" }])
    expect(marked(stays)).toEqual([])
  })

  test.each([
    ["email;plan\ra@x.test;pro\rb@x.test;free\r", "email,plan\r\na@x.test,pro\r\nb@x.test,free"],
    ["email;a\r\r\na@x.test;b\r\r\n", "email,a\r\na@x.test,b"],
    ['email,note\ra@x.test,"b\rc"', 'email,note\r\na@x.test,"b\nc"'],
    ["sep=;\r\nE-Mail;Plan\r\na@x.test;pro, new\r\n", 'email,Plan\r\na@x.test,"pro, new"'],
    ["\ufeffSEP=,\nemail,plan\na@x.test,pro\n", "email,plan\r\na@x.test,pro"],
    ['"sep=|"\nemail|plan\na@x.test|pro\n', "email,plan\r\na@x.test,pro"],
    ["email,plan\r\na@x.test,pro\r\n,\r\n,\r\n", "email,plan\r\na@x.test,pro"],
    ['email,plan\na@x.test,pro\n"",""\n\n', "email,plan\r\na@x.test,pro"],
  ])("has its rows and no others, with what is there for Excel: %j", async (text, sent) => {
    const file = await readFile(new File([text], "people.csv"))
    if (typeof file === "string") throw new Error(file)
    expect(await convert(file, columnsOf(file), new Set(), []).text()).toBe(sent)
  })

  test("is sent unchanged when nothing is renamed or left out", async () => {
    expect(await convert(read(","), columns, new Set(), []).text()).toBe("as it was")
  })

  test("is written with commas, new names, and without excluded columns and rows", async () => {
    const chosen = columns.map((column, at) => ({
      ...column,
      isTaken: at !== 1,
      field: at === 3 ? "tier" : column.field,
    }))
    const file = convert(read("\t"), chosen, new Set([2]), [])
    expect(file.name).toBe("people.csv")
    expect(await file.text()).toBe('email,unsubscribed_at,tier\r\na@x.test,,pro\r\nb@x.test,,"free, for now"')
  })

  test("has true and false in English where Excel has saved the file in its own language", async () => {
    const text =
      "email;vip;beta;name;rank;mixed\r\na@x.test;WAHR;YANLIŞ;Vero;VERO;WAHR\r\nb@x.test;FALSCH;;Falso;FALSO;VRAI\r\nc@x.test;;DOĞRU;Vero;;"
    const file = await readFile(new File([text], "people.csv"))
    if (typeof file === "string") throw new Error(file)
    expect(await convert(file, columnsOf(file), new Set(), []).text()).toBe(
      "email,vip,beta,name,rank,mixed\r\na@x.test,true,false,Vero,true,WAHR\r\nb@x.test,false,,Falso,false,VRAI\r\nc@x.test,,true,Vero,,",
    )
    const plain = await readFile(new File(["email,vip\na@x.test,VRAI\n"], "people.csv"))
    if (typeof plain === "string") throw new Error(plain)
    expect(await convert(plain, columnsOf(plain), new Set(), []).text()).toContain("a@x.test,true")
  })

  test("keeps a row without address where the address is the only column that is taken", async () => {
    const file = await readFile(new File(["email;name\na@x.test;Ada\n;Bo\nbad;Cy\n"], "people.csv"))
    if (typeof file === "string") throw new Error(file)
    const chosen = columnsOf(file).map((column) => ({ ...column, isTaken: column.name === "email" }))
    const sent = convert(file, chosen, new Set(), [])
    expect(await countRows(sent.stream())).toBe(3)
    expect(await Array.fromAsync(slicesOf(sent.stream(), { imported: 0, updated: 0, skipped: 0 }))).toMatchObject([
      [
        { row: 2, email: "a@x.test", data: {} },
        { row: 3, email: "" },
        { row: 4, email: "bad" },
      ],
    ])
  })
})

describe("the times of a file", () => {
  test.each([
    ["2026-07-20", "2026-07-20T00:00:00Z"],
    ["2026-07-20 09:30", "2026-07-20T09:30:00Z"],
    ["2026-07-20T09:30:15.250+02:00", "2026-07-20T07:30:15Z"],
    ["2026-07-20 00:30:00 +0200", "2026-07-19T22:30:00Z"],
    [" 2026-07-20 09:30:15 UTC ", "2026-07-20T09:30:15Z"],
    ["2026-07-20 09:30:15.12345 +0000 UTC", "2026-07-20T09:30:15Z"],
    ["2026-07-20 09:30:15.12345 +0200 CEST", "2026-07-20T07:30:15Z"],
    ["2026-07-20 09:30:15.12345 +0000 +0000", "2026-07-20T09:30:15Z"],
    ["2026-07-20 09:30:15.288391+00", "2026-07-20T09:30:15Z"],
    ["2026-07-20 00:30:00-03", "2026-07-20T03:30:00Z"],
    ["2024-02-29", "2024-02-29T00:00:00Z"],
    ["2026-02-30", null],
    ["2026-07-20 25:00", null],
    ["20/07/2026", null],
    ["20.07.2026", "2026-07-20T00:00:00Z"],
    ["1.2.2026 9:05", "2026-02-01T09:05:00Z"],
    ["29.02.2028 23:59:58", "2028-02-29T23:59:58Z"],
    ["2026/7/20", "2026-07-20T00:00:00Z"],
    ["2026/07/20 9:05:00", "2026-07-20T09:05:00Z"],
    ["2026.07.20", "2026-07-20T00:00:00Z"],
    ["29.02.2026", null],
    ["7/20/2026", null],
    ["20.07.26", null],
    ["20.07.2026.1", null],
    ["2026", null],
    ["", null],
  ])("%j is read as %j", (cell, time) => expect(timeOf(cell)).toBe(time))

  test("are in the columns that hold nothing else, unless conditions read them as they are", () => {
    const head = ["email", "signedUp", "lastSeen", "birthday", "empty", "plan"]
    const rows = [
      ["a@x.test", "2026-07-20", "2026-07-20T00:00:00Z", "20/07/1990", "", "pro"],
      ["b@x.test", "", "2026-07-21T00:00:00.125Z", "1990-07-20", "", "2026-07-20"],
    ]
    const columns = columnsOf({ head, rows })
    expect(timeColumns({ rows }, columns)).toEqual([1])
    expect(
      timeColumns(
        { rows },
        columns.map((column) => ({ ...column, isTaken: false })),
      ),
    ).toEqual([])
    const file = new File(["as it was"], "people.csv")
    const written = convert({ file, isPlain: true, head, rows }, columns, new Set(), [1])
    return expect(written.text()).resolves.toContain(
      "a@x.test,2026-07-20T00:00:00Z,2026-07-20T00:00:00Z,20/07/1990,,pro",
    )
  })
})
