import { expect, test } from "bun:test"
import { returnedResults } from "../../src/modules/reports/returned/read.ts"
import { workedMs } from "../harness/processor-time.ts"

const mebibyte = 1_048_576
const multipart = (boundary: string) => `Content-Type: multipart/report; boundary="${boundary}"\n\n`
const status = "Content-Type: message/delivery-status\n\n"

/** Whoever knows one return path may send anything to it. */
test.each([
  ["parts without end", multipart("b") + "--b\n\n".repeat(mebibyte / 5)],
  ["multiparts in multiparts", Array.from({ length: 20_000 }, (_, at) => `${multipart(`b${at}`)}--b${at}\n`).join("")],
  ["a boundary of dashes", `${multipart("-".repeat(70))}${"-".repeat(mebibyte)}`],
  ["recipients without end", status + "\n\nFinal-Recipient: rfc822; a@b.c\nAction: failed".repeat(20_000)],
  ["blank lines without end", `${status}Reporting-MTA: a${" \n".repeat(mebibyte / 2)}`],
  ["parameters without end", `Content-Type: multipart/report${"; a=".repeat(mebibyte / 4)}\n\n`],
  ["a field without end", `${status}Diagnostic-Code: ${"5.1.".repeat(mebibyte / 4)}\n`],
  ["dashes in prose", `\nHi. This is the ${"---\n".repeat(mebibyte / 4)}`],
  ["an encoding without end", `Content-Transfer-Encoding: quoted-printable\n\n${"= ".repeat(mebibyte / 2)}`],
  ["nothing but NUL", "\u0000".repeat(mebibyte)],
])("a report of %s is read in time", (_, content) => {
  const raw = Buffer.from(content)
  const before = workedMs()
  const results = returnedResults(raw)
  expect(workedMs() - before).toBeLessThan(2_000)
  expect(results.length).toBeLessThanOrEqual(100)
})
