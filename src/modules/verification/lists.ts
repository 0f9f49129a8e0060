import { aliasDomains } from "./aliases.ts"
import { mistypedDomains } from "./popular.ts"
import { personalDomains } from "./providers.ts"

/** What is known of domains by name alone. */
export interface Lists {
  isDisposable(domain: string): boolean
  isAlias(domain: string): boolean
  isPersonal(domain: string): boolean
}

/** Domains that the operator adds, in canonical form. */
export interface OwnDomains {
  readonly disposable: readonly string[]
  readonly alias: readonly string[]
  readonly personal: readonly string[]
}

/**
 * The built-in lists and the operator's, put together at the first call: the disposable domains are thousands, and most
 * instances never ask. Whoever runs a throw-away or alias service hands out subdomains too, so these count as well.
 */
export function createLists(own: OwnDomains): () => Promise<Lists> {
  let lists: Promise<Lists> | undefined

  async function load(): Promise<Lists> {
    const packaged = await import("disposable-email-domains-js/dist/dict/disposable_email_blocklist.json")
    const disposable = new Set(packaged.default)
    for (const domain of mistypedDomains) disposable.delete(domain)
    for (const domain of own.disposable) disposable.add(domain)
    const alias = new Set([...aliasDomains, ...own.alias])
    const personal = new Set([...personalDomains, ...own.personal])
    return {
      isDisposable: (domain) => holdsOrContains(disposable, domain),
      isAlias: (domain) => holdsOrContains(alias, domain),
      isPersonal: (domain) => personal.has(domain),
    }
  }

  return () => {
    lists ??= load()
    return lists
  }
}

/** Whether the domain or one above it is in the set. */
function holdsOrContains(set: ReadonlySet<string>, domain: string): boolean {
  for (let rest = domain; rest !== ""; rest = rest.slice(rest.indexOf(".") + 1)) {
    if (set.has(rest)) return true
    if (!rest.includes(".")) return false
  }
  return false
}
