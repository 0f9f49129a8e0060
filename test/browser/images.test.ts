import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { imageOf } from "../harness/images.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"
import { body, isSaved, paper, withTemplate } from "./templates-seed.ts"

withBrowser()

const picture = async (seed: number, name: string) => ({
  name,
  mimeType: "image/png",
  buffer: await imageOf("png", seed, 40),
})

/** Gives the editor a file as by a paste or a drop. */
async function give(page: Page, kind: "paste" | "drop", bytes: Buffer, name: string): Promise<void> {
  const data = await page.evaluateHandle(
    ({ base64, name }) => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      transfer.items.add(new File([bytes], name, { type: "image/png" }))
      return transfer
    },
    { base64: bytes.toString("base64"), name },
  )
  await body(page).evaluate(
    (element, { kind, data }) => {
      const { left, bottom } = element.getBoundingClientRect()
      const place = { clientX: left + 20, clientY: bottom - 4 }
      element.dispatchEvent(
        kind === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true, ...place }),
      )
    },
    { kind, data },
  )
}

const images = (page: Page, count: number) =>
  page.waitForFunction(
    (count) => (document.querySelector(".cm-content")?.textContent?.match(/<img /g) ?? []).length === count,
    count,
  )

/** Resolves once the preview shows so many images, loaded. */
const shown = (page: Page, count: number) =>
  page.waitForFunction((count) => {
    const frame = document.querySelector<HTMLIFrameElement>("iframe[title='Mail preview']")
    const all = [...(frame?.contentDocument?.images ?? [])]
    return all.length === count && all.every((image) => image.complete && image.naturalWidth === 40)
  }, count)

test("images are chosen, pasted and dropped into a template, and the preview shows them at once", () =>
  withTemplate({ body: "<p>Before</p>" }, async (page, { get, id, url }) => {
    await body(page).click()
    await page.keyboard.press("Control+End")
    await page.getByLabel("Images").setInputFiles([await picture(1, 'Our "logo".png'), await picture(2, "two.png")])
    await images(page, 2)
    await give(page, "paste", await imageOf("png", 3, 40), "pasted.png")
    await images(page, 3)
    await give(page, "drop", await imageOf("png", 4, 40), "dropped.png")
    await images(page, 4)
    await shown(page, 4)
    expect(await page.getByText("Pictures and styles from elsewhere are off").count()).toBe(0)
    await page.getByRole("button", { name: "Save" }).click()
    await isSaved(page)
    const { body: saved } = await get(`/templates/${id}`)
    expect(saved).toStartWith(`<p>Before</p><img src="${url}/uploads/`)
    expect(saved).toContain('alt="Our &quot;logo&quot;" width="40" style="max-width:100%;height:auto">')
    for (const alt of ["two", "pasted", "dropped"]) expect(saved).toContain(`alt="${alt}"`)
  }))

test("a file that is no image is refused with the reason, and the text stays", () =>
  withTemplate(
    { body: "<p>Same</p>" },
    async (page) => {
      await paper(page).getByText("Same").waitFor()
      const file = { name: "fake.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") }
      await page.getByLabel("Images").setInputFiles(file)
      await page.getByText("fake.png was not uploaded").waitFor()
      await page.getByText("Send a JPEG, PNG, GIF or WebP image.").waitFor()
      expect(await body(page).textContent()).toBe("<p>Same</p>")
    },
    { allowed: /400/ },
  ))

test("text that is copied with a picture of it is pasted as text", () =>
  withTemplate({}, async (page) => {
    await body(page).click()
    await body(page).evaluate((element) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData("text/plain", "A1\tB1")
      clipboardData.items.add(new File([new Uint8Array(3)], "cells.png", { type: "image/png" }))
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent?.includes("A1"))
    expect(await body(page).textContent()).not.toContain("<img")
  }))

test("images are inserted into a campaign", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post, get } = callsTo(server)
    const fields = { name: "News", subject: "News", body: "<p>Hi</p>", from: "a@shop.test", audienceType: "ALL" }
    const { data } = await post("/campaigns", fields)
    await page.goto(`${server.url}/app/campaigns/${data.id}`)
    await body(page).waitFor()
    await page.getByLabel("Images").setInputFiles(await picture(5, "banner.png"))
    await images(page, 1)
    await shown(page, 1)
    await page.getByRole("button", { name: "Save" }).click()
    await isSaved(page)
    expect((await get(`/campaigns/${data.id}`)).data.body).toContain('alt="banner"')
  }))
