import styles from "./variables-view.module.css"

const rules = [
  ["{{name ?? there}}", "A fallback, for contacts without the field"],
  ["{{profile.tier}}", "A value inside of an object"],
  ["{{#if plan}}…{{else}}…{{/if}}", "Only when it is there"],
  ["{{#if (gt age 17)}}…{{/if}}", "Comparisons: eq, ne, gt, gte, lt, lte, and, or, not"],
  ["{{#each tags}}{{this}} {{/each}}", "For every item of a list"],
  ['{{formatDate signup "D MMMM YYYY"}}', "Dates, in the language of the mail"],
  ["{{formatNumber total 2}}", "Numbers, with so many decimals"],
  ["{{upper name}}", "Also lower, capitalize, truncate, join, urlencode"],
  ["{{{html}}}", "Without escaping: only for HTML that you trust"],
] as const

/** The language of templates on one page (contract A3). */
export function LanguageHelp() {
  return (
    <details className={styles.help}>
      <summary>What else can stand between braces</summary>
      <dl>
        {rules.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
