import { expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { until } from "../harness/store.ts"
import { callsTo } from "./calls.ts"
import { loaded, moveTo, visit, withBrowser } from "./harness.ts"
import { addWelcome } from "./workflows-seed.ts"

withBrowser()

const mails = [{ subject: "One" }, { subject: "Two" }]
const phone = { width: 380, height: 780 }
const scheme = (page: Page) => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

test("the theme follows the system until another is chosen, which survives a reload", () =>
  visit({ mails, colorScheme: "dark" }, async ({ page, row }) => {
    await row("One").waitFor()
    expect(await scheme(page)).toBe("dark")
    expect(await ground(page)).toBe("rgb(25, 25, 29)")
    await page.getByRole("button", { name: "Theme" }).click()
    await page.getByRole("menuitemradio", { name: "Light" }).click()
    await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "light")
    await page.reload()
    await row("One").waitFor()
    expect(await ground(page)).toBe("rgb(255, 255, 255)")
  }))

test("in forced colours, what is chosen and whether a switch is on are seen", () =>
  visit({ path: "/app/contacts", forcedColors: "active" }, async ({ page, server }) => {
    await callsTo(server).post("/contacts", { email: "ada@acme.test" })
    await page.reload()
    await page.getByRole("link", { name: "ada@acme.test" }).click()
    const subscribed = page.getByRole("switch", { name: "Subscribed" })
    await subscribed.waitFor()
    const colours = await page.evaluate(() => {
      const ground = (of: string) => {
        const found = document.querySelector(of)
        return found ? getComputedStyle(found).backgroundColor : of
      }
      const track = ".mantine-Switch-track"
      return [ground("body"), ...[".ms-links [aria-current]", "[role=tab][aria-selected=true]", track].map(ground)]
    })
    const [canvas, ...chosen] = colours
    expect(new Set(chosen).size).toBe(1)
    expect(chosen).not.toContain(canvas ?? "")
    await subscribed.press("Space")
    await page.waitForFunction(
      (on) => getComputedStyle(document.querySelector(".mantine-Switch-track") ?? document.body).backgroundColor !== on,
      chosen[0],
    )
  }))

test("in forced colours, the legend of a chart has the colours of its curves", () =>
  visit({ mails, path: "/app/analytics", forcedColors: "active" }, async ({ page }) => {
    const entries = page.locator("li[data-tone]")
    await entries.nth(1).waitFor()
    const colours = await entries.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one, "::before").borderTopColor),
    )
    expect(new Set(colours).size).toBe(colours.length)
  }))

/** The contrast of a colour of an element to the ground of the page (WCAG 2.2, 1.4.3). */
const contrastOf = (page: Page, selector: string, property: "color" | "borderTopColor" | "stroke") =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => {
      const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
      const luminance = (color: string): number => {
        if (!pen) return 0
        pen.fillStyle = color
        pen.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const colors = [getComputedStyle(element)[name], getComputedStyle(document.body).backgroundColor]
      const [low = 0, high = 0] = colors.map(luminance).toSorted((one, other) => one - other)
      return (high + 0.05) / (low + 0.05)
    }, property)

test.each(["light", "dark"] as const)(
  "who asks for more contrast sees lines and secondary text clearly, %s",
  (colorScheme) =>
    visit({ path: "/app/settings", contrast: "more", colorScheme }, async ({ page, server }) => {
      await page.getByLabel("Name", { exact: true }).waitFor()
      const field = "main input[type=text], main input:not([type])"
      expect(await contrastOf(page, field, "borderTopColor")).toBeGreaterThan(3)
      expect(await contrastOf(page, "main input[type=radio]:not(:checked)", "borderTopColor")).toBeGreaterThan(3)
      expect(await contrastOf(page, "main .mantine-InputWrapper-description", "color")).toBeGreaterThan(7)
      await moveTo(page, (await addWelcome(server)).path)
      expect(await contrastOf(page, ".react-flow__edge-path", "stroke")).toBeGreaterThan(3)
    }),
)

test("in forced colours, a dialog has an edge towards the page behind it", () =>
  visit({ path: "/app/contacts", forcedColors: "active" }, async ({ page }) => {
    await loaded(page)
    for (const [key, name] of [
      ["?", "Keyboard shortcuts"],
      ["Control+k", "Command palette"],
    ] as const) {
      await page.keyboard.press(key)
      const dialog = page.getByRole("dialog", { name })
      await dialog.waitFor()
      const edge = await dialog.evaluate((one) => {
        const { borderTopStyle, borderTopWidth, outlineStyle, outlineWidth } = getComputedStyle(one)
        return [`${borderTopStyle} ${borderTopWidth}`, `${outlineStyle} ${outlineWidth}`]
      })
      expect([name, ...edge]).toContain("solid 1px")
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
    }
  }))

test("a narrow screen shows either list or mail, and nothing is wider than the screen", () =>
  visit({ mails, viewport: phone, hasTouch: true }, async ({ page, row }) => {
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await row("Two").waitFor()
    expect(await overflow()).toBe(0)
    await row("Two").tap()
    await page.frameLocator("iframe").getByText("Hello").waitFor()
    expect(await overflow()).toBe(0)
    expect((await page.locator("iframe").boundingBox())?.width).toBe(380)
    expect(
      await page
        .getByLabel("Search mail")
        .isVisible()
        .then((seen) => seen && hitBy(page, "Search mail")),
    ).toBe(false)
    await page.getByRole("button", { name: "Back to the list" }).click()
    await row("One").tap()
    await page.getByRole("heading", { name: "One", level: 1 }).waitFor()
    await page.goBack()
    // the second time its code is there already
    for (const _ of ["first", "second"]) {
      await page.getByRole("button", { name: "Open navigation" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "How to send" }).click()
      await page.getByRole("region", { name: "curl command" }).waitFor()
      await page.keyboard.press("Escape")
      await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Open navigation")
    }
  }))

test("on a phone, a heading with nothing below it is at the height of the button beside it", () =>
  visit({ path: "/app/analytics", viewport: phone }, async ({ page }) => {
    const middle = async (found: ReturnType<Page["locator"]>) => {
      const { y, height } = (await found.boundingBox()) ?? { y: Number.NaN, height: 0 }
      return y + height / 2
    }
    const burger = page.getByRole("button", { name: "Open navigation" })
    await loaded(page)
    expect(await middle(page.getByRole("heading", { level: 1 }))).toBeCloseTo(await middle(burger), 0)
  }))

test("at a zoom of 400 %, a feed and the body of a mail are reached with the wheel", () =>
  visit({ path: null, mails, viewport: { width: 320, height: 256 } }, async ({ page, server }) => {
    const { id } = await callsTo(server).addTemplate({ name: "Receipt" })
    const heightAfterWheel = async (path: string, found: string) => {
      await page.goto(server.url + path)
      await loaded(page)
      const part = page.locator(found)
      await page.mouse.move(160, 200)
      await until(async () => {
        await page.mouse.wheel(0, 2_000)
        return part.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight + 1)
      })
      return part.evaluate((element) => element.clientHeight)
    }
    expect(await heightAfterWheel("/app/events", "[data-feed]")).toBeGreaterThanOrEqual(150)
    expect(await heightAfterWheel(`/app/templates/${id}`, "[aria-label=Content] > :last-child")).toBeGreaterThanOrEqual(
      150,
    )
  }))

test("a page that is printed has all of its content, on as many sheets as that takes", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addContacts(60)
    await page.goto(`${server.url}/app/contacts`)
    await page.getByRole("link", { name: "p060@example.com" }).waitFor()
    const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g)
    expect(sheets?.length).toBeGreaterThan(1)
  }))

test("on a sheet of paper, an open mail or contact is not printed over the list, nor the hint that no mail is open", () =>
  visit({ path: "/app/inbox", mails, viewport: { width: 718, height: 1_000 } }, async ({ page, server, row }) => {
    await callsTo(server).addContacts(2)
    const onPaper = async (found: Locator) => {
      await page.emulateMedia({ media: "print" })
      const isThere = await found.isVisible()
      await page.emulateMedia({ media: "screen" })
      return isThere
    }
    await row("One").waitFor()
    expect(await onPaper(page.getByText("No message open"))).toBe(false)
    await row("One").click()
    await page.getByRole("heading", { name: "One" }).waitFor()
    expect(await onPaper(row("Two"))).toBe(false)
    await moveTo(page, "/app/contacts")
    const other = page.getByRole("link", { name: "p001@example.com", includeHidden: true })
    expect(await onPaper(other)).toBe(true)
    await page.getByRole("link", { name: "p002@example.com" }).click()
    await page.locator("main > [inert]").waitFor()
    expect(await onPaper(other)).toBe(false)
  }))

test("a table that is wider than a phone shows at its edge that it scrolls", () =>
  visit({ path: "/app/domains/reputation", viewport: phone }, async ({ page }) => {
    const table = page.getByRole("region", { name: "Rates" }).last()
    await table.waitFor()
    expect(await table.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeGreaterThan(0)
    const edge = async () => {
      const { x, y, width, height } = (await table.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      return page.screenshot({ clip: { x: x + width - 12, y: y + height - 8, width: 12, height: 4 } })
    }
    const before = await edge()
    await table.evaluate((it) => it.scrollTo({ left: it.scrollWidth }))
    expect((await edge()).equals(before)).toBe(false)
  }))

test("figures whose last row is not full have no ground of their own beside it", () =>
  visit({ path: "/app/analytics", viewport: { width: 640, height: 800 } }, async ({ page }) => {
    const figures = page.locator("dl").first()
    await figures.getByText("Complained").waitFor()
    const corner = async (of: typeof figures) => {
      const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      return page.screenshot({ clip: { x: x + width - 12, y: y + height - 12, width: 4, height: 4 } })
    }
    const last = figures.locator("> div").last()
    expect((await last.boundingBox())?.x).toBeLessThan(300)
    expect((await corner(figures)).equals(await corner(last))).toBe(true)
  }))

test("a link to a mail opens it, and going back shows the list", () =>
  visit({ mails }, async ({ page, server, row }) => {
    const id = await server.sendMail({ subject: "Deep", html: "<p>Deep body</p>" })
    await page.goto(`${server.url}/app/inbox/${id}`)
    await page.frameLocator("iframe").getByText("Deep body").waitFor()
    expect(await row("Deep").getAttribute("aria-current")).toBe("true")
    await page.goBack()
    await page.getByText("No message open").waitFor()
  }))

test("a link to a mail of another project changes to that project", () =>
  visit({ path: null, projects: 3, mails, allowed: /404/ }, async ({ page, server, row }) => {
    const id = await server.sendMail({ subject: "OtherProject", html: "<p>Over here</p>" }, 2)
    await page.goto(`${server.url}/app/inbox/${id}`)
    await page.frameLocator("iframe").getByText("Over here").waitFor()
    await page.getByRole("button", { name: "Project Project 3, switch" }).waitFor()
    expect(await row("One").count()).toBe(0)
  }))

test("a link to a deleted mail shows that it does not exist", () =>
  visit({ path: `/app/inbox/${Bun.randomUUIDv7()}`, mails, allowed: /404/ }, async ({ page, row }) => {
    await page.getByText("This message is not here").waitFor()
    await row("One").waitFor()
  }))

test("each project has its own inbox", () =>
  visit({ projects: 2, mails }, async ({ page, server, row }) => {
    await server.sendMail({ subject: "Other" }, 1)
    await row("Two").click()
    await page.getByRole("button", { name: "Project Sandbox, switch" }).click()
    await page.getByRole("menuitemradio", { name: "Project 2" }).click()
    await row("Other").waitFor()
    expect(await page.locator("[data-mail]").count()).toBe(1)
    await page.getByText("No message open").waitFor()
    await page.reload()
    await row("Other").waitFor()
  }))

test("a page that cannot be loaded shows an error, and loads once the server answers again", () =>
  visit({ mails, allowed: /ERR_CONNECTION_REFUSED|Failed to fetch|error occurred/ }, async ({ page, row }) => {
    await row("One").waitFor()
    await page.route("**/*", (route) => route.abort("connectionrefused"))
    await page.getByRole("link", { name: "Templates" }).click()
    await page.getByRole("heading", { name: "Not loaded" }).waitFor()
    // the rest of the dashboard still works
    await page.getByRole("link", { name: "Inbox" }).click()
    await row("One").waitFor()
    await page.getByRole("link", { name: "Templates" }).click()
    await page.getByRole("heading", { name: "Not loaded" }).waitFor()
    // retrying against a silent server keeps the page
    const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/config"))
    await page.getByRole("button", { name: "Try again" }).click()
    await refused
    await page.getByRole("heading", { name: "Not loaded" }).waitFor()
    await page.unroute("**/*")
    await page.getByRole("heading", { name: "Write it once, send it often" }).waitFor()
  }))

/** Whether the element with this label is topmost at its position. */
const hitBy = (page: Page, label: string): Promise<boolean> =>
  page.getByLabel(label).evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2) === element
  })
