import { describe, expect, test } from "bun:test"
import { columnsOf, readRow } from "../../src/modules/imports/columns.ts"

const read = (header: string, row: string) => readRow(columnsOf(header.split(",")), row.split(","), 2)

describe("a header", () => {
  test.each(["email", "Email", "EMAIL", " eMail ", "name,email", "email\r"])("%j has an email column", (header) => {
    expect(columnsOf(header.split(",")).email).toBe(header.split(",").length - 1)
  })

  test.each(["", "name", "e-mail", "mail", "email address", "emails"])("%j has none and is refused", (header) => {
    expect(() => columnsOf(header.split(","))).toThrow("no email column")
  })

  test.each(["email,plan\ra@b.cc,pro\rd@e.ff", "email\ra@b.cc"])(
    "%j has the lines of another system and is refused",
    (header) => {
      expect(() => columnsOf(header.split(","))).toThrow("CR alone")
    },
  )

  test("with an invalid field name is refused", () => {
    expect(() => columnsOf(["email", "x".repeat(256)])).toThrow("column 2")
    expect(columnsOf(["email", "💌".repeat(255)]).fields).toHaveLength(1)
  })
})

describe("a row", () => {
  test.each([
    ["takes every other column as data", "email,plan,City", "a@b.cc,pro,Oslo", { plan: "pro", City: "Oslo" }],
    ["trims names and cells", " email , plan ", "a@b.cc , pro ", { plan: "pro" }],
    ["ignores empty cells", "email,plan,city", "a@b.cc,, ", {}],
    ["ignores columns without a name", "email,,plan, ", "a@b.cc,x,pro,y", { plan: "pro" }],
    ["takes missing cells as empty", "email,plan,city", "a@b.cc,pro", { plan: "pro" }],
    ["ignores surplus cells", "email,plan", "a@b.cc,pro,x,y", { plan: "pro" }],
    ["takes the last of repeated columns", "email,plan,plan", "a@b.cc,free,pro", { plan: "pro" }],
    ["takes the last of repeated columns when it is empty too", "email,plan,plan", "a@b.cc,free,", {}],
    ["tells names apart by their case", "email,plan,Plan", "a@b.cc,free,pro", { plan: "free", Plan: "pro" }],
    ["drops columns that are no fields", "email,id,subscribed,createdAt,updatedAt", "a@b.cc,1,2,3,4", {}],
    [
      "drops reserved keys",
      "email,svc_id,svc_email,unsubscribeUrl,subscribeUrl,manageUrl,__proto__",
      "a@b.cc,1,2,3,4,5,6",
      {},
    ],
    [
      "keeps names that only look like dropped ones",
      "email,ID,Subscribed",
      "a@b.cc,7,yes",
      { ID: 7, Subscribed: true },
    ],
    [
      "keeps names of a plain object's own",
      "email,constructor,toString",
      "a@b.cc,1,2",
      { constructor: 1, toString: 2 },
    ],
    ["keeps a dotted name as it is", "email,profile.tier", "a@b.cc,gold", { "profile.tier": "gold" }],
  ])("%s", (_, header, row, data) => {
    expect(read(header, row)).toEqual({ row: 2, email: "a@b.cc", address: "a@b.cc", data: data as never })
  })

  test.each([
    ["in any case and with spaces", "email", " Ada@Example.COM ", "Ada@Example.COM", "ada@example.com"],
    ["in the last of several email columns", "email,EMAIL", "a@b.cc,d@e.ff", "d@e.ff", "d@e.ff"],
    ["of another alphabet", "email", "ada@bücher.example", "ada@bücher.example", "ada@xn--bcher-kva.example"],
    ["that is invalid", "email", "not-an-email", "not-an-email", undefined],
    ["that is empty", "email,plan", ",pro", "", undefined],
    ["that is missing", "plan,email", "pro", "", undefined],
  ])("has an address %s", (_, header, row, email, address) => {
    expect(read(header, row)).toMatchObject({ email, address: address as never })
  })
})
