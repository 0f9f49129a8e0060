import type { Engine } from "../../engine.ts"
import type { DomainOwners } from "./owners.ts"
import { domainOfReturnPath, returnPathOf } from "./records.ts"
import { createReturnPaths } from "./return-path.ts"
import type { Domain } from "./table.ts"

interface MailPathDeps extends Pick<Engine, "secret"> {
  readonly owners: Pick<DomainOwners, "of">
  /** Whether incoming mail is received, so that a bounce comes back. */
  readonly receives: boolean
}

/** The project that receives the mail of a domain, and the return paths of its own mail (contract B9.6). */
export function createMailPaths({ owners, secret, receives }: MailPathDeps) {
  const returnPaths = createReturnPaths(secret)

  return {
    /** The envelope sender of a message from a domain where bounces come back; undefined where none do. */
    returnPathFor(emailId: string, domain: string, checks: Domain["checks"]): string | undefined {
      const isPublished = receives && checks.return_path?.status === "VERIFIED"
      return isPublished ? returnPaths.addressOf(emailId, returnPathOf(domain)) : undefined
    },

    /** The project that receives the mail of a domain: the one that has verified it (contract B9.6.3). */
    async projectReceiving(domain: string): Promise<string | undefined> {
      const owner = await owners.of(domain)
      return owner?.verified ? owner.projectId : undefined
    },

    /** Whether a host is that of the return path of a registered domain. */
    async isReturnHost(host: string): Promise<boolean> {
      const domain = domainOfReturnPath(host)
      return domain !== undefined && (await owners.of(domain)) !== undefined
    },

    /** The message that a return path was made for; undefined for an address that is not ours. */
    emailOfReturnPath: (address: string): string | undefined => returnPaths.read(address),
  }
}
