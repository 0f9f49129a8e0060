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

type Scheme = "light" | "dark"

/**
 * The violations that axe finds on the page in these colour schemes, one line for each element: of all rules in the
 * first scheme, and of the rules of colour in the others.
 */
export async function faults(page: Page, schemes: readonly Scheme[] = ["light", "dark"]): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source)
  const found: string[] = []
  for (const [at, scheme] of schemes.entries()) {
    await switchTo(page, scheme)
    const lines = await violations(page, at === 0 ? allRules : { runOnly: { type: "rule", values: rulesOfColour } })
    found.push(...lines.map((line) => `${scheme}: ${line}`))
  }
  return found
}

/** Each colour scheme at one size, because no colour depends on the width. */
const sizes = [
  [{ width: 1280, height: 800 }, "light"],
  [{ width: 390, height: 844 }, "dark"],
] as const

/** The violations on a wide screen in light colours, and on a phone in dark ones; each with the width. */
export async function faultsAtSizes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [size, scheme] of sizes) {
    await page.setViewportSize(size)
    found.push(...(await faults(page, [scheme])).map((fault) => `${size.width} ${fault}`))
  }
  return found
}

const allRules: axe.RunOptions = {
  runOnly: { type: "tag", values: wcag },
  rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: true }])),
}

async function switchTo(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((now) => document.documentElement.dataset.mantineColorScheme === now, colorScheme)
}

const violations = (page: Page, options: axe.RunOptions): Promise<string[]> =>
  page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") }
    const found = await axe.run(document, {
      ...options,
      resultTypes: ["violations"],
      preload: false,
      // the content of mail is not checked
      iframes: false,
    })
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any.map(({ message }) => message).join("; ")}`),
    )
  }, options)
