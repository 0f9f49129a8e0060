import { expect, test } from "bun:test"
import { stateText } from "../../src/dashboard/pages/domains/record-texts.ts"

const record = { purpose: "DKIM", type: "TXT", name: "a.test", value: "v", status: "PENDING", found: [] } as const
const advice = [{ ...record, required: false }]
const needed = [...advice, { ...record, required: true }]

test("a domain says what it waits for: its own records, or the provider that has named none (contract B6.8)", () => {
  expect(stateText({ status: "PENDING", records: needed })).toContain("once the required records are found")
  expect(stateText({ status: "FAILED", records: needed })).toContain("not found for three days")
  for (const status of ["PENDING", "FAILED"] as const)
    expect(stateText({ status, records: advice })).toContain("has not named its records")
  expect(stateText({ status: "VERIFIED", records: advice })).toBe("Mail may be sent from this domain.")
})
