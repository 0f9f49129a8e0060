import type { Engine } from "../../engine.ts"
import { domainOfReturnPath, returnPathOf } from "./records.ts"
import { createReturnPaths } from "./return-path.ts"
import { findByName } from "./store.ts"
import type { Domain } from "./table.ts"

interface MailPathDeps extends Pick<Engine, "store" | "secret"> {
  /** Whether incoming mail is received, so that a bounce comes back. */
  readonly receives: boolean
}

/** Where mail that comes to a domain belongs, and where the bounces of its own mail go (contract B9.6). */
export function createMailPaths({ store, secret, receives }: MailPathDeps) {
  const returnPaths = createReturnPaths(secret)

  return {
    /** The envelope sender of a message from a domain where bounces come back; undefined where none do. */
    returnPathFor(emailId: string, domain: string, checks: Domain["checks"]): string | undefined {
      const isPublished = receives && checks.return_path?.status === "VERIFIED"
      return isPublished ? returnPaths.addressOf(emailId, returnPathOf(domain)) : undefined
    },

    /** The project that receives the mail of a domain: the one that has verified it (contract B9.6.3). */
    async projectReceiving(domain: string): Promise<string | undefined> {
      const known = await findByName(store.read, domain)
      return known?.verified ? known.projectId : undefined
    },

    /** Whether a host is that of the return path of a registered domain. */
    async isReturnHost(host: string): Promise<boolean> {
      const domain = domainOfReturnPath(host)
      return domain !== undefined && (await findByName(store.read, domain)) !== undefined
    },

    /** The message that a return path was made for; undefined for an address that is not ours. */
    emailOfReturnPath: (address: string): string | undefined => returnPaths.read(address),
  }
}
