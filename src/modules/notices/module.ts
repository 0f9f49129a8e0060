import type { Subscriber } from "../../bus/bus.ts"
import { isSignal } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import { capturedLanes } from "../../mail/transports.ts"
import type { Module } from "../../module.ts"
import type { Unit } from "../../store/writer.ts"
import { type Accounts, accountTokenIssued } from "../accounts/index.ts"
import type { Emails } from "../emails/index.ts"
import { type Projects, projectDisabled } from "../projects/index.ts"
import { disabledMessage, linkMessage } from "./message.ts"

interface NoticeDeps {
  readonly accounts: Pick<Accounts, "tokenToSend" | "recipientsIn" | "tokens">
  readonly projects: Pick<Projects, "ensureSystem" | "find">
  readonly emails: Pick<Emails, "acceptSystem">
}

/** The purposes of links, as described in the log. */
const meanings = {
  verify: "A link to confirm an address",
  reset: "A link to set a new password",
  email: "A link to confirm a new address",
} as const

/**
 * Mail of the service itself (contract B8.1.3). Without a sender, or while mail is captured, its links are written to
 * the log.
 */
export function createNotices(
  { config, log }: Pick<Engine, "config" | "log">,
  { accounts, projects, emails }: NoticeDeps,
) {
  const { from } = config.systemMail
  const isCaptured = capturedLanes(config).includes("transactional")

  async function sendLink(unit: Unit, id: string): Promise<void> {
    const found = await accounts.tokenToSend(unit, id)
    if (found === undefined) return
    const { token, user } = found
    const { purpose, email: to } = token
    if (purpose === "setup" || to === null) return
    // The only place that logs a link, for operators without working mail to pass on.
    if (from === null || isCaptured)
      unit.afterCommit(() => log.warn(meanings[purpose], { address: to, link: accounts.tokens.linkOf(purpose, id) }))
    if (from === null) return
    await projects.ensureSystem(unit)
    const message = linkMessage(purpose, user.language)
    const variables = { address: to }
    await emails.acceptSystem(unit, {
      ...message,
      from,
      to,
      language: user.language,
      variables,
      link: { kind: purpose, id },
    })
  }

  async function tellMembers(unit: Unit, projectId: string): Promise<void> {
    const project = await projects.find(projectId)
    if (from === null || project === undefined) return
    await projects.ensureSystem(unit)
    for (const { email: to, language } of await accounts.recipientsIn(unit, projectId))
      await emails.acceptSystem(unit, {
        ...disabledMessage(language),
        from,
        to,
        language,
        variables: { project: project.name },
      })
  }

  const links: Subscriber = {
    name: "notices.links",
    on: [accountTokenIssued],
    async handle(signals, unit) {
      for (const signal of signals) if (isSignal(signal, accountTokenIssued)) await sendLink(unit, signal.payload.id)
    },
  }

  const disabled: Subscriber = {
    name: "notices.disabled",
    on: [projectDisabled],
    async handle(signals, unit) {
      for (const signal of signals)
        if (isSignal(signal, projectDisabled) && signal.payload.reason === "EMAIL_REPUTATION")
          await tellMembers(unit, signal.projectId)
    },
  }

  return { name: "notices", actions: {}, subscribers: [links, disabled] } satisfies Module
}
