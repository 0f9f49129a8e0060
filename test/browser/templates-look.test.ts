import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { type Visit, visit, withBrowser } from "./harness.ts"

withBrowser()

async function openEditor({ page, server }: Visit, fields: Record<string, unknown> = {}): Promise<void> {
  const { id } = await callsTo(server).addTemplate(fields)
  await page.goto(`${server.url}/app/templates/${id}`)
  await page.locator("iframe[title='Mail preview']").waitFor()
}

test("the address that the preview is filled for is seen from top to bottom", () =>
  visit({ path: "/app/inbox" }, async (visited) => {
    await callsTo(visited.server).post("/contacts", { email: "judy.gray@example.com" })
    await openEditor(visited)
    const label = visited.page.getByRole("button", { name: /^Filled for/ }).getByText("judy.gray@example.com")
    const { room, text } = await label.evaluate((element) => ({
      room: element.clientHeight,
      text: element.scrollHeight,
    }))
    expect(room).toBeGreaterThanOrEqual(text - 1)
  }))

test("a subject and a sender as long as they may be leave the mail its place", () =>
  visit({ path: "/app/inbox" }, async (visited) => {
    await openEditor(visited, { subject: "A long subject ".repeat(66).trim(), fromName: "Sender ".repeat(100).trim() })
    const box = await visited.page.locator("iframe[title='Mail preview']").boundingBox()
    expect(box?.height).toBeGreaterThan(400)
  }))
