import { expect, test } from "bun:test"
import { senderResults } from "../../src/dashboard/pages/inbox/sender-results.ts"

const said = (field: string) => senderResults(field).map(({ name, result }) => `${name} ${result}`)

test("The sender checks are the results of Authentication-Results (RFC 8601, 2.2)", () => {
  const field =
    "mx.acme.test; dkim=pass header.i=@b.test; spf=fail smtp.mailfrom=a@b.test; dmarc=fail header.from=b.test"
  expect(said(field)).toEqual(["SPF fail", "DKIM pass", "DMARC fail"])
  expect(said("mx.acme.test;\tarc=none;spf=none")).toEqual(["SPF none", "ARC none"])
  expect(said("mx.acme.test; none")).toEqual([])
})

test("Words of the sender in comments and quotes are no results", () => {
  const forged = [
    "mx.acme.test; spf=fail (domain of a;dmarc=pass@b.test does not designate) smtp.helo=b.test; dmarc=fail",
    'mx.acme.test; spf=fail smtp.mailfrom="a; dmarc=pass@b.test"; dmarc=fail',
    String.raw`mx.acme.test; spf=fail (a\)"; dmarc=pass \() smtp.mailfrom="\"(; dmarc=pass\\" x.y="); dmarc=pass"; dmarc=fail`,
  ]
  for (const field of forged) expect(said(field)).toEqual(["SPF fail", "DMARC fail"])
})
