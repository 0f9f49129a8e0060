import axe from "axe-core"
import type { Page } from "playwright-core"

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
/** What WCAG leaves open, or axe calls experimental, and we want too. */
const rules = [
  "page-has-heading-one",
  "empty-table-header",
  "skip-link",
  "region",
  "target-size",
  "label-content-name-mismatch",
]

/** What axe finds wrong with the page as it is, one line for each element. */
export async function faults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ wcag, rules }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") }
      const enabled = Object.fromEntries(rules.map((rule) => [rule, { enabled: true }]))
      const { violations } = await axe.run(document, {
        runOnly: { type: "tag", values: wcag },
        rules: enabled,
        // mail of others is not ours to judge
        iframes: false,
      })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any.map(({ message }) => message).join("; ")}`),
      )
    },
    { wcag, rules },
  )
}
