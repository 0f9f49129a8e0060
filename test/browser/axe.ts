import axe from "axe-core"
import type { Page } from "playwright-core"

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
/** Rules beyond WCAG, or experimental in axe, that we require too. */
const rules = [
  "page-has-heading-one",
  "empty-table-header",
  "skip-link",
  "region",
  "target-size",
  "label-content-name-mismatch",
]
/** The rules whose result depends on the colour scheme: the document is the same in both. */
const rulesOfColour = ["color-contrast", "link-in-text-block"]

/** The violations that axe finds on the page in both colour schemes, one line for each element. */
export async function faults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source)
  await switchTo(page, "light")
  const light = await violations(page, {
    runOnly: { type: "tag", values: wcag },
    rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: true }])),
  })
  await switchTo(page, "dark")
  const dark = await violations(page, { runOnly: { type: "rule", values: rulesOfColour } })
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)]
}

async function switchTo(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((now) => document.documentElement.dataset.mantineColorScheme === now, colorScheme)
}

const violations = (page: Page, options: axe.RunOptions): Promise<string[]> =>
  page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") }
    const found = await axe.run(document, {
      ...options,
      resultTypes: ["violations"],
      // the content of mail is not checked
      iframes: false,
    })
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any.map(({ message }) => message).join("; ")}`),
    )
  }, options)
