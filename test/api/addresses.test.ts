import { expect } from "bun:test"
import type { ApiAnswer } from "../harness/api.ts"
import type { TestApp } from "../harness/app.ts"
import { scenarios } from "../harness/scenarios.ts"

const label = "a".repeat(63)
const longest = `${"l".repeat(64)}@${label}.${label}.${"b".repeat(58)}.io`

const accepted: readonly (readonly [given: string, stored: string])[] = [
  ["ada@example.com", "ada@example.com"],
  [" \tBo@Example.COM\r\n", "bo@example.com"],
  ["a@b.co", "a@b.co"],
  ["0@0.a0", "0@0.a0"],
  ["a.b!#$%&'*+/=?^_`{|}~-@example.com", "a.b!#$%&'*+/=?^_`{|}~-@example.com"],
  ["first.last+tag@sub.example.com", "first.last+tag@sub.example.com"],
  [`${"l".repeat(64)}@example.com`, `${"l".repeat(64)}@example.com`],
  [`x@${label}.com`, `x@${label}.com`],
  ["x@BÜCHER.example", "x@xn--bcher-kva.example"],
  ["y@xn--bcher-kva.example", "y@xn--bcher-kva.example"],
  ["z@b\u00fccher\u3002example", "z@xn--bcher-kva.example"],
  ["x@例え.テスト", "x@xn--r8jz45g.xn--zckzah"],
  ["x@a-b.c-d.e2", "x@a-b.c-d.e2"],
  ["x@1.2.3.4a", "x@1.2.3.4a"],
  [longest, longest],
]

const refused: readonly string[] = [
  "",
  " ",
  "ada",
  "@",
  "ada@",
  "@example.com",
  "ada@@example.com",
  "ada@b@example.com",
  "ada@example",
  "ada@localhost",
  "ada@.example.com",
  "ada@example..com",
  "ada@example.com.",
  "ada@-example.com",
  "ada@example-.com",
  "ada@exa_mple.com",
  "ada@exa mple.com",
  "ada@example.com/x",
  "ada@example.com:25",
  "ada@example.123",
  "ada@127.0.0.1",
  "ada@[127.0.0.1]",
  "ada@[IPv6:::1]",
  `x@${"a".repeat(64)}.com`,
  `${"l".repeat(65)}@example.com`,
  `l${longest}`,
  longest.replace(".io", "b.io"),
  ".ada@example.com",
  "ada.@example.com",
  "a..da@example.com",
  "a da@example.com",
  '"ada"@example.com',
  '"a da"@example.com',
  "ada(comment)@example.com",
  "ada,bo@example.com",
  "ada@example.com,bo@example.com",
  "ada@example.com;",
  "Ada <ada@example.com>",
  "<ada@example.com>",
  "mailto:ada@example.com",
  "ädä@example.com",
  "ada@bücher.example/x",
  "ada@bücher.example?x",
  "ada@bücher.example#x",
  "ada@bücher.example\\x",
  "ada@bücher\t.example",
  "ada@bücher\r\n.example",
  "ada@bücher%2eexample",
  "ada@b%61ücher.example",
  "ada\u0000@example.com",
  "ada@example.com\u0000",
  "ada\r\n@example.com",
  "ada@example.com\r\nBcc: bo@example.com",
  "ada\u200b@example.com",
]

scenarios("POST /v1/track: the address (contract A1.2.6)", [
  ...accepted.map(([email, stored]) => ({
    name: `${JSON.stringify(email)} is ${stored}`,
    body: { email, event: "seen" },
    status: 200,
    events: { seen: 1 },
    contacts: 1,
    afterwards: async (it: TestApp, { body }: ApiAnswer) => {
      expect((await it.api(`GET /contacts/${body.data.contact}`)).body.email).toBe(stored)
    },
  })),
  ...["ADA@EXAMPLE.COM", "  ada@example.com", "X@xn--bcher-kva.EXAMPLE"].map((email) => ({
    name: `${JSON.stringify(email)} is known in another spelling`,
    body: { email, event: "seen" },
    status: 200,
    events: { seen: 1 },
  })),
  ...refused.map((email) => ({
    name: `${JSON.stringify(email)} is invalid`,
    body: { email, event: "seen" },
    status: 422,
    code: "VALIDATION_ERROR",
    fields: { email: "invalid_string" },
  })),
])
