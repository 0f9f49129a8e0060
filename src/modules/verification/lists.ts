import { aliasDomains } from "./aliases.ts"
import { mistypedDomains } from "./popular.ts"
import { personalDomains } from "./providers.ts"

/** Classifies domains by name. */
export interface Lists {
  isDisposable(domain: string): boolean
  isAlias(domain: string): boolean
  isPersonal(domain: string): boolean
}

/** Additional domains of the operator, in canonical form. */
interface OwnDomains {
  readonly disposable: readonly string[]
  readonly alias: readonly string[]
  readonly personal: readonly string[]
}

/**
 * The built-in lists with the operator's, loaded on the first call, because there are thousands of disposable domains
 * and many instances never need them. Subdomains are included, because disposable and alias services give these to
 * users too.
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
