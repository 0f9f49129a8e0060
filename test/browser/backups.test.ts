import { expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { pauseSending } from "../../src/store/sending-pause.ts"
import { password } from "./account-server.ts"
import { visitServer, withBrowser } from "./harness.ts"

import { signInAt } from "./sign-in.ts"

withBrowser()

test("the owner of the server takes a backup, and resumes sending after a restore", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    const now = Date.now()
    pauseSending(server.app.config.data, { since: now, takenAt: now - 60_000 })
    await page.goto(`${server.url}/app/instance/backups`)
    await page.getByLabel("Email", { exact: true }).fill("owner@acme.test")
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()

    await page.getByText("This server was restored from a backup").waitFor()
    await page.getByRole("button", { name: "Resume sending" }).click()
    await page.getByText("even if that server has sent it since").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Resume sending" }).click()
    await page.getByText("This server was restored from a backup").waitFor({ state: "detached" })

    await page.getByText("None is taken by itself").waitFor()
    await page.getByText("None yet.").waitFor()
    await page.getByRole("button", { name: "Back up now" }).click()
    const row = page.getByRole("table", { name: "Backups" }).getByRole("row").last()
    await row.getByText("Verified").waitFor()
    const downloading = page.waitForEvent("download")
    await row.getByRole("button").click()
    await page.getByRole("menuitem", { name: "Download" }).click()
    expect((await downloading).suggestedFilename()).toMatch(/^mailstead-.*\.tar\.zst$/)

    await page.getByRole("link", { name: "Audit" }).click()
    for (const text of ["Downloaded the backup", "Asked for a backup", "Resumed sending"])
      await page.getByText(text).first().waitFor()
  }))

test("a backup whose file is gone says so, and the page stays", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", "/app/instance/backups")
    await page.getByRole("button", { name: "Back up now" }).click()
    const row = page.getByRole("table", { name: "Backups" }).getByRole("row").last()
    await row.getByText("Verified").waitFor()
    const { data } = (await owner.call("GET", "/instance/backups")) as { data: { folder: string } }
    rmSync(data.folder, { recursive: true })
    await row.getByRole("button").click()
    await page.getByRole("menuitem", { name: "Download" }).click()
    await page.getByText("Not downloaded").waitFor()
    await row.getByText("Its file is gone").waitFor()
  }))

test("the reason why a backup is in no bucket is shown whole at 1280 and 390 pixels, with what is beside it", () =>
  visitServer(
    {
      path: null,
      allowed: /40[13]/,
      settings: { "backup.url": "s3://shop-backups/mailstead?endpoint=http://127.0.0.1:9" },
    },
    async ({ page, server }) => {
      await (await server.signUp("owner@acme.test")).createProject("Acme")
      await page.goto(`${server.url}/app/instance/backups`)
      await page.getByLabel("Email", { exact: true }).fill("owner@acme.test")
      await page.getByLabel("Password", { exact: true }).fill(password)
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
      await page.getByRole("button", { name: "Back up now" }).click()
      const table = page.getByRole("table", { name: "Backups" })
      const reason = table.getByText("It is not in the bucket")
      await reason.waitFor()
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await page.reload()
        await reason.waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        const cell = await reason.evaluate((one) => one.scrollWidth - one.clientWidth)
        expect(cell).toBeLessThanOrEqual(0)
        const box = await table.boundingBox()
        if (width > 1_000) expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      }
    },
  ))
