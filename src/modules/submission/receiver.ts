import type { ProjectRef } from "../../http/auth.ts"
import type { RateLimit } from "../../http/rate-limit.ts"
import type { ParseMessage } from "../../inbound/parse-thread.ts"
import { accepted, type Received, type Receiver, refused } from "../../inbound/types.ts"
import { domainOf, parseAddress } from "../../kernel/email-address.ts"
import { DomainError } from "../../kernel/errors.ts"
import type { Domains } from "../domains/index.ts"
import type { Emails } from "../emails/index.ts"
import type { Incoming } from "../incoming/index.ts"
import type { Projects } from "../projects/index.ts"
import { refusalOf } from "./refusal.ts"
import { type AttachmentLimits, requestOf } from "./request.ts"

export interface SubmissionDeps {
  readonly projects: Projects
  readonly domains: Domains
  readonly emails: Emails
  readonly incoming: Incoming
  readonly parse: ParseMessage
  /** That of the HTTP API: a message counts as one request. */
  readonly rateLimit: RateLimit
}

interface ReceiverDeps extends SubmissionDeps {
  readonly limits: AttachmentLimits
}

const keyEnded = refused(550, "5.7.1", "This key is no longer valid: log in with the present one")

/**
 * Logged in with the secret key of a project as the password, whatever the user name, a client submits mail of the
 * project to anybody (contract B9.6.1). Without a login its mail is incoming mail (contract B9.6.2). The session is the
 * key, which is looked up at every step, because a rotated one stops at once (contract A1.5.1).
 */
export function createReceiver(deps: ReceiverDeps): Receiver<string> {
  const { projects, domains, emails, incoming, parse, rateLimit, limits } = deps

  const ofKey = (key: string) => projects.projectOfKey("secret", key)

  /** Stores a mail for each recipient, or none; resolves to the id of the first. */
  async function submit(project: ProjectRef, { raw, mailFrom, recipients }: Received<string>): Promise<string> {
    if (project.disabled) throw new DomainError("forbidden", "PROJECT_DISABLED", "This project is disabled.")
    rateLimit.take(project.id, "secret")
    const request = requestOf(await parse(raw, project.id), raw, recipients, limits)
    // `send` verifies the domain of From, so this verifies only a different one. The envelope sender is empty for
    // automatic replies, which must not be answered.
    const sender = parseAddress(mailFrom) ?? mailFrom
    if (sender !== "" && domainOf(sender) !== domainOf(request.from))
      await domains.requireVerifiedSender(project.id, sender)
    const { emails: sent } = await emails.send(project, request)
    return sent[0]?.emailId ?? ""
  }

  return {
    authenticate: async (_user, password) => ((await ofKey(password)) ? password : undefined),

    async recipient(address, mailFrom, peer) {
      if (peer.session === undefined) return incoming.receiver.recipient?.(address, mailFrom, peer)
      return (await ofKey(peer.session)) ? undefined : keyEnded
    },

    async receive(message) {
      if (message.session === undefined) return incoming.receiver.receive(message)
      const project = await ofKey(message.session)
      if (project === undefined) return keyEnded
      try {
        return accepted(await submit(project, message))
      } catch (cause) {
        const refusal = refusalOf(cause)
        if (refusal === undefined) throw cause
        return refused(...refusal)
      }
    },
  }
}
