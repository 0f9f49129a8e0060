import { expect, test } from "bun:test"
import { startDnsServer } from "../harness/dns-server.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { password } from "./account-server.ts"
import { visitServer, withBrowser } from "./harness.ts"

withBrowser()

const message = [
  "From: =?utf-8?q?Ada_L=C3=B6velace?= <ada@good.example.com>",
  "To: Support <support@shop.test>",
  "Subject: Where is my order?",
  "Message-ID: <1@mua.example.com>",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Hello, it has been two weeks.",
  "--b",
  'Content-Type: application/pdf; name="receipt.pdf"',
  'Content-Disposition: attachment; filename="receipt.pdf"',
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERi0=",
  "--b--",
].join("\r\n")

test("mail that comes in is shown while the inbox is open, with who it is from and whether that is so", async () => {
  const dns = await startDnsServer({
    "good.example.com": [["TXT", "v=spf1 ip4:127.0.0.1 -all"]],
    "_dmarc.good.example.com": [["TXT", "v=DMARC1; p=reject"]],
  })
  try {
    const settings = { "dns.servers": dns.address, "smtp.inbound_port": "25", "smtp.host": "127.0.0.1" }
    await visitServer({ path: null, settings, allowed: /40[149]/ }, async ({ page, server }) => {
      const owner = await server.signUp("owner@acme.test")
      const { id } = await owner.createProject("Acme")
      await server.app.domains.add(id, "shop.test", { vouched: true })
      await page.goto(`${server.url}/app/p/${id}/inbox`)
      await page.getByLabel("Email", { exact: true }).fill("owner@acme.test")
      await page.getByLabel("Password", { exact: true }).fill(password)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByText("Waiting for your first mail").waitFor()

      const client = await connectSmtp(server.inboundPort ?? 0)
      await client.reply()
      await client.envelope("ada@good.example.com", "support@shop.test", "sales@shop.test")
      expect((await client.data(message)).code).toBe(250)
      client.drop()

      const row = page.locator("[data-mail]").filter({ hasText: "Where is my order?" })
      await row.filter({ hasText: "Ada Lövelace" }).filter({ hasText: "to support@shop.test and 1 other" }).waitFor()
      await row.getByText("Received").waitFor()
      await row.click()
      const mail = page.getByRole("article", { name: "Message" })
      await mail.getByText("Hello, it has been two weeks.").waitFor()
      await mail.getByRole("link", { name: /receipt\s*\.pdf/ }).waitFor()
      await mail.getByRole("button", { name: /Via\s*Another server/ }).waitFor()
      await mail.getByRole("button", { name: /Contact\s*ada@good.example.com/ }).waitFor()
      const checks = mail.getByRole("list", { name: "Sender checks" }).getByRole("listitem")
      expect(await checks.allInnerTexts()).toEqual(["SPF pass", "DKIM none", "DMARC pass"])

      await page.getByRole("button", { name: "Filter mail" }).click()
      await page.getByRole("menuitemradio", { name: "Incoming" }).click()
      await row.waitFor()
      expect(page.url()).toContain("source=INBOUND")

      const forger = await connectSmtp(server.inboundPort ?? 0)
      await forger.reply()
      await forger.envelope("a;spf=pass;dkim=pass;dmarc=pass@evil.example.com", "support@shop.test")
      const forged = message.replace("two weeks", "three weeks").replace("Where is my order?", "Pay now")
      expect((await forger.data(forged)).code).toBe(250)
      forger.drop()
      await page.locator("[data-mail]").filter({ hasText: "Pay now" }).click()
      await mail.getByText("Hello, it has been three weeks.").waitFor()
      expect(await checks.allInnerTexts()).toEqual(["SPF none", "DKIM none", "DMARC fail"])
    })
  } finally {
    await dns.stop()
  }
})
