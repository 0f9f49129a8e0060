import { expect, test } from "bun:test"
import { startDnsServer } from "../harness/dns-server.ts"
import { callsTo } from "./calls.ts"
import { visit, visitServer, withBrowser } from "./harness.ts"
import { signIn } from "./sign-in.ts"

withBrowser()

test("a domain is added, its records are published, found, and it is verified", async () => {
  const dns = await startDnsServer()
  try {
    await visitServer(
      { path: null, settings: { "dns.servers": dns.address }, allowed: /40[149]|422/ },
      async ({ page, server }) => {
        const owner = await server.signUp("owner@acme.test")
        const { id } = await owner.createProject("Acme")
        await page.goto(`${server.url}/app/p/${id}/domains`)
        await signIn(page, "owner@acme.test")
        await page.getByText("There is none yet.").waitFor()
        await page.getByRole("button", { name: "Add", exact: true }).click()
        await page.getByText("Which domain?").waitFor()
        await page.getByLabel("Domain", { exact: true }).fill("nonsense")
        await page.keyboard.press("Enter")
        await page.getByText("domain must be", { exact: false }).waitFor()
        await page.getByLabel("Domain", { exact: true }).fill("https://Shop.Test/start")
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { name: "shop.test", level: 1 }).waitFor()
        const record = page.getByRole("listitem", { name: "DKIM record ms1._domainkey.shop.test" })
        await record.getByText("required").waitFor()
        const value = (await record.getByRole("definition").filter({ hasText: "v=DKIM1" }).textContent()) ?? ""
        const zoneFile = (await page.getByRole("region", { name: "zone file" }).textContent()) ?? ""
        expect(zoneFile).toContain('_dmarc.shop.test. 3600 IN TXT "v=DMARC1; p=none"')
        // a key of 2,048 bits does not fit one string of a TXT record
        const [line = ""] = zoneFile.split("\n")
        const strings = [...line.matchAll(/"([^"]*)"/g)].map(([, one = ""]) => one)
        expect(strings.map(({ length }) => length)).toEqual([255, value.length - 255])
        expect(strings.join("")).toBe(value)

        dns.zone = { "ms1._domainkey.shop.test": [["TXT", "v=DKIM1; k=rsa; p=old"]] }
        await page.getByRole("button", { name: "Check now" }).click()
        await record.getByText("Found instead:").waitFor()
        await record.getByText("v=DKIM1; k=rsa; p=old").waitFor()
        await page.getByRole("status").getByText("Not found yet").waitFor()

        dns.zone = {
          "ms1._domainkey.shop.test": [["TXT", strings]],
          "_dmarc.shop.test": [["TXT", "v=DMARC1; p=reject"]],
        }
        await page.getByRole("button", { name: "Check now" }).click()
        await page.getByRole("status").getByText("Verified").waitFor()
        await page.getByText("Mail may be sent from this domain.").waitFor()
        const asked = page.getByRole("region", { name: "What providers ask" }).getByRole("listitem")
        expect(await asked.allInnerTexts()).toMatchObject([
          expect.stringContaining("Yes"),
          expect.stringContaining("Yes"),
          expect.stringContaining("Yes"),
          expect.stringContaining("Depends"),
          expect.stringContaining("Yes"),
        ])
        await page.getByRole("button", { name: "Make new keys" }).click()
        const question = page.getByRole("dialog", { name: "Make new DKIM keys?" })
        await question.getByRole("button", { name: "Make new keys" }).click()
        const next = page.getByRole("listitem", { name: "DKIM record ms3._domainkey.shop.test" })
        await next.getByText("Mail is signed with it as soon as").waitFor()
        await page.getByText("The new keys wait for their records").waitFor()
        expect(await page.getByRole("button", { name: "Make new keys" }).count()).toBe(0)
        const newValue = (await next.getByRole("definition").filter({ hasText: "v=DKIM1" }).textContent()) ?? ""
        dns.zone = { ...dns.zone, "ms3._domainkey.shop.test": [["TXT", newValue.match(/.{1,255}/g) ?? []]] }
        await page.getByRole("button", { name: "Check now" }).click()
        await page
          .getByRole("listitem", { name: "DKIM record ms1._domainkey.shop.test" })
          .getByText("Still published")
          .waitFor()
        await next.getByText("required").waitFor()

        await page.getByRole("link", { name: "All domains" }).click()
        await page.getByRole("row", { name: "shop.test" }).getByText("Verified").waitFor()
        await page.getByRole("link", { name: "shop.test" }).click()
        await page.getByRole("button", { name: "Remove the domain" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
        await page.getByText("There is none yet.").waitFor()
        expect(await server.app.domains.list(id)).toEqual([])
      },
    )
  } finally {
    await dns.stop()
  }
})

test("in the sandbox every domain is verified, and nothing is said of records nobody looked for", () =>
  visit({ path: "/app/domains" }, async ({ page }) => {
    await page.getByLabel("Domain", { exact: true }).fill("shop.test")
    await page.keyboard.press("Enter")
    await page.getByRole("status").getByText("Verified").waitFor()
    await page.getByText("its records are not looked for").waitFor()
    expect(await page.getByText("Not yet").count()).toBe(0)
  }))

test("the list stays while it cannot be read again", () =>
  visit({ path: null, allowed: /422/, alone: true }, async ({ page, server }) => {
    await callsTo(server).post("/domains", { domain: "shop.test" })
    await page.clock.install()
    await page.goto(`${server.url}/app/domains`)
    await page.getByRole("link", { name: "shop.test" }).waitFor()
    const list = "**/domains/project/current"
    await page.route(list, (route) =>
      route.fulfill({ status: 422, json: { error: { message: "Not now.", code: "X" } } }),
    )
    const answer = page.waitForResponse(list)
    await page.clock.fastForward("00:16")
    await (await answer).finished()
    await page.clock.fastForward("00:01")
    expect(await page.getByRole("link", { name: "shop.test" }).count()).toBe(1)
    expect(await page.getByText("Not now.").count()).toBe(0)
  }))

test("a domain that is gone says so", () =>
  visit({ path: "/app/domains/0199c0de-0000-7000-8000-00000000000d" }, async ({ page }) => {
    await page.getByText("This domain is not here.", { exact: false }).waitFor()
    await page.getByRole("button", { name: "All domains" }).click()
    await page.getByRole("heading", { name: "Domains", level: 1 }).waitFor()
  }))

test("a domain of the sandbox, which nobody looks for and no key signs for, is not said to be looked for or signed", () =>
  visit({ path: null }, async ({ page, server }) => {
    const answer = await fetch(`${server.url}/domains`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.projects[0]?.secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ domain: "shop.test" }),
    })
    const { id } = (await answer.json()) as { id: string }
    await page.goto(`${server.url}/app/domains/${id}`)
    await page.getByText("Nobody looks for them, because the domain is taken on the word").waitFor()
    expect(await page.getByRole("listitem").getByText("Verified", { exact: true }).count()).toBe(0)
    expect(await page.getByRole("heading", { name: "DMARC" }).count()).toBe(1)
    expect(await page.getByRole("heading", { name: "DKIM" }).count()).toBe(0)
    expect(await page.getByRole("main").getByText("_domainkey").count()).toBe(0)
  }))
