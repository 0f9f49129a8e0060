import { expect, test } from "bun:test"
import { shop, startIncomingApp } from "../harness/incoming.ts"
import { workedMs } from "../harness/processor-time.ts"

test("Mail whose headers name thousands of people does not hold up the server, however many it is for", async () => {
  await using app = await startIncomingApp()
  const boxes = Array.from({ length: 15_000 }, (_, at) => `é${at}@é${at}.test`).join(",\n ")
  const message = `From: ada@example.com\nTo: Rae <R7@${shop}>,\n ${boxes}\nCc: r8@${shop}\nSubject: Hi\n\nHello`
  async function timeFor(recipients: number): Promise<number> {
    const client = await app.connect()
    await client.envelope("ada@example.com", ...Array.from({ length: recipients }, (_, at) => `r${at}@${shop}`))
    const before = workedMs()
    expect((await client.data(message.replaceAll("\n", "\r\n"))).code).toBe(250)
    client.drop()
    return workedMs() - before
  }
  const one = await timeFor(1)
  expect(await timeFor(100)).toBeLessThan(2 * one + 1_500)
  const [{ recipients }] = (await app.it.api("GET /inbox?search=to:r7@")).body.data
  const found = (name: string) => recipients.find(({ to }: { to: string }) => to === `${name}@${shop}`)
  expect(found("r7")).toMatchObject({ toName: "Rae", addressedBy: "TO" })
  expect(found("r8")).toMatchObject({ toName: null, addressedBy: "CC" })
  expect(found("r9")).toMatchObject({ toName: null, addressedBy: "BCC" })
})
