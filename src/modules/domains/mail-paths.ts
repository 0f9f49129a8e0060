import type { Engine } from "../../engine.ts"
import { domainOf } from "../../kernel/email-address.ts"
import { domainOfReturnPath, returnPathOf } from "./records.ts"
import { createReturnPaths } from "./return-path.ts"
import { findByName, findChecks } from "./store.ts"

interface OutgoingEmail {
  readonly id: string
  readonly projectId: string
  readonly from: string
}

interface MailPathDeps extends Pick<Engine, "store" | "secret"> {
  /** Whether incoming mail is received, so that a bounce comes back. */
  readonly receives: boolean
}

/** Where mail that comes to a domain belongs, and where the bounces of its own mail go (contract B9.6). */
export function createMailPaths({ store, secret, receives }: MailPathDeps) {
  const returnPaths = createReturnPaths(secret)

  return {
    /**
     * The envelope sender of a message: its return path where that is published in the DNS and mail to it is received here
     * (contract B9.6.4), else the address of its From header.
     */
    async envelopeFromOf({ id, projectId, from }: OutgoingEmail): Promise<string> {
      if (!receives) return from
      const domain = domainOf(from)
      const [row] = await findChecks(store.read, { projectId, domain })
      return row?.checks.return_path?.status === "VERIFIED" ? returnPaths.addressOf(id, returnPathOf(domain)) : from
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
