import { and, eq, sql } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { domainOf, parseDomain } from "../../kernel/email-address.ts"
import { conflict, DomainError, fault, invalid } from "../../kernel/errors.ts"
import { prepare } from "../../store/prepare.ts"
import { type Domain, domainTable } from "./table.ts"

const findVerified = prepare((db) =>
  db
    .select({ id: domainTable.id })
    .from(domainTable)
    .where(
      and(
        eq(domainTable.projectId, sql.placeholder("projectId")),
        eq(domainTable.domain, sql.placeholder("domain")),
        eq(domainTable.verified, true),
      ),
    ),
)

/** `anyDomain` accepts every sender, as the sandbox does (contract A8.3.2). */
export function createDomainActions(
  { store, ids }: Pick<Engine, "store" | "ids">,
  { anyDomain }: { anyDomain: boolean },
) {
  return {
    /** Throws 403 unless the domain of the sender is a verified domain of the project (contract A4.3.3). */
    async requireVerifiedSender(projectId: string, from: string): Promise<void> {
      if (anyDomain) return
      const domain = domainOf(from)
      const [row] = await findVerified(store.read, { projectId, domain })
      if (row) return
      throw new DomainError("forbidden", "INTERNAL_SERVER_ERROR", `The sender domain ${domain} is not verified.`, {
        suggestion: `Add and verify ${domain} for this project, or send from a domain that is verified.`,
      })
    },

    /** Registers a domain; `vouched` marks it verified on the operator's word. A domain belongs to one project. */
    async add(projectId: string, name: string, { vouched }: { vouched: boolean }): Promise<Domain> {
      const domain = parseDomain(name)
      if (domain === undefined)
        throw invalid([fault("domain", "invalid_string", "domain must be a domain name such as example.com.")])
      return store.write(projectId, async (unit) => {
        const [known] = await unit.db.select().from(domainTable).where(eq(domainTable.domain, domain))
        if (known && known.projectId !== projectId) throw conflict(`${domain} is registered in another project.`)
        if (known && !vouched) throw conflict(`${domain} is registered already.`)
        if (known?.verified && known.vouched) return known
        const row = { verified: vouched, vouched, updatedAt: unit.now }
        const [saved] = await unit.db
          .insert(domainTable)
          .values({ id: ids.next(), projectId, domain, createdAt: unit.now, ...row })
          .onConflictDoUpdate({ target: domainTable.domain, set: row })
          .returning()
        if (saved === undefined) throw new Error("The domain was not stored.")
        return saved
      })
    },
  }
}

export type Domains = ReturnType<typeof createDomainActions>
