import { day, hour, minute, second } from "../../../kernel/clock.ts"
import { parseAddress } from "../../../kernel/email-address.ts"
import { DomainError } from "../../../kernel/errors.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { isShortOfTime, RenderFault, TemplateFault } from "../../../mail/render/index.ts"
import type { Contact, ContactPatch, Contacts } from "../../contacts/index.ts"
import type { Emails } from "../../emails/index.ts"
import type { Project } from "../../projects/index.ts"
import { plain } from "../graph.ts"
import { shortestDelayMs } from "../limits.ts"
import type { Execution, StepConfig, StepExecution } from "../table.ts"
import { createAddressLimit, mailsPerHour } from "./address-limit.ts"
import type { EngineUnit } from "./engine-unit.ts"
import type { Node } from "./graphs.ts"
import { countStarts } from "./step-store.ts"
import { renderDeep, type TextRenderer, textRenderer } from "./variables.ts"

/** The outcome of starting a step. */
export type StepResult =
  | { readonly is: "passed"; readonly output: JsonObject; readonly branch: string }
  | { readonly is: "exited"; readonly reason: string }
  /** Until a time, an event of a name, or whichever comes first. */
  | { readonly is: "resting"; readonly until: number | null; readonly waitsFor: string | null }
  /** A request is to be made; its answer moves the execution on. */
  | { readonly is: "calling" }

/** One start of a step by an execution. */
interface Start {
  readonly engineUnit: EngineUnit
  readonly execution: Execution
  readonly node: Node
  readonly contact: Contact
  readonly project: Project
}

/** A step failed (contract B5.7); nothing of it was written. */
export class StepFault extends Error {}

/** A step could not be started now, for the allowance of slow templates (contract A3.6); nothing of it was written. */
export class StepDelayed extends Error {}

/**
 * A step failed after it had begun to write, so its unit must be rolled back, and the failure recorded in another unit.
 */
export class UnitFault extends Error {
  constructor(
    readonly executionId: string,
    /** How many steps the execution had started before. */
    readonly steps: number,
    reason: string,
  ) {
    super(reason)
  }
}

interface StepDeps {
  readonly contacts: Pick<Contacts, "changeIn">
  readonly emails: Pick<Emails, "acceptTemplate" | "localeOf">
  readonly renderer: TextRenderer
}

/** Mails of one step in one execution within `circleMs` (contract B5.4.12). */
const mailsPerStep = 20
const circleMs = 10 * minute

/** Whether a later step of the execution reads this one: where it stands, and the mails of a circle (contract B5.4.12). */
export const isReadLater = ({ completedAt, type, startedAt }: StepExecution, now: number): boolean =>
  completedAt === null || (type === "SEND_EMAIL" && startedAt > now - circleMs)

const msPerUnit = { minutes: minute, hours: hour, days: day } as const
const passed = (output: JsonObject = {}, branch: string = plain): StepResult => ({ is: "passed", output, branch })

/** The time that a DELAY step rests, in ms. */
export const delayOf = ({ amount, unit }: StepConfig): number =>
  Math.max(shortestDelayMs, Math.round(Number(amount) * msPerUnit[unit as keyof typeof msPerUnit]))

/** Why a step failed, when the cause is one of its content and not a fault of ours. */
const reasonOfFault = (cause: unknown): string | undefined =>
  cause instanceof DomainError || cause instanceof RenderFault || cause instanceof TemplateFault
    ? cause.message
    : undefined

/** The effects of the steps (contract B5.4). Each throws a StepFault, or a UnitFault, when it fails, and StepDelayed. */
export function createSteps({ contacts, emails, renderer }: StepDeps) {
  const addresses = createAddressLimit()

  const rendererFor = ({ contact, execution, project }: Start) =>
    textRenderer(renderer, { contact, context: execution.context, locale: emails.localeOf(contact, project) })

  async function sendEmail(start: Start): Promise<StepResult> {
    const { engineUnit, execution, node, contact, project } = start
    if (await isCircling(start))
      throw new StepFault(`This step has sent ${mailsPerStep} mails of this execution in ten minutes.`)
    const { recipient } = node.step.config as { recipient?: { type?: string; customEmail?: string } | null }
    const prepared = await engineUnit.mail(project, node.step.templateId ?? "")
    const custom = recipient?.type === "CUSTOM" ? (recipient.customEmail ?? "") : undefined
    const to = custom === undefined ? undefined : customAddress(start, custom)
    const limited = custom?.includes("{{") ? to : undefined
    if (limited !== undefined && !addresses.allows(engineUnit.unit, project.id, limited))
      throw new StepFault(`${limited}, which comes from data, had ${mailsPerHour} mails in an hour.`)
    const mail = { executionId: execution.id, contact, context: execution.context, ...(to !== undefined && { to }) }
    const emailId = await emails.acceptTemplate(engineUnit.unit, prepared, mail)
    if (limited !== undefined) addresses.note(engineUnit.unit, project.id, limited)
    return passed({ emailId })
  }

  /**
   * Whether the step has sent too many mails, as in a loop of waits for events that the execution itself causes
   * (contract B5.4.12).
   */
  async function isCircling({ engineUnit: { unit }, execution, node }: Start): Promise<boolean> {
    if (execution.steps < mailsPerStep) return false
    return (await countStarts(unit.db, execution.id, node.step.id, unit.now - circleMs)) >= mailsPerStep
  }

  function customAddress(start: Start, source: string): string {
    const rendered = rendererFor(start)(source).trim()
    const address = parseAddress(rendered)
    if (address === undefined) throw new StepFault(`"${rendered.slice(0, 200)}" is not an email address.`)
    return address
  }

  async function updateContact(start: Start): Promise<StepResult> {
    const { engineUnit, node, contact, execution } = start
    const { updates, data, subscriptionAction } = node.step.config
    const sent = (updates ?? data) as JsonObject | null | undefined
    const wanted: ContactPatch = {
      ...(sent && { data: renderDeep(sent, rendererFor(start)) as JsonObject }),
      ...(subscriptionAction === "subscribe" && { subscribed: true }),
      ...(subscriptionAction === "unsubscribe" && { subscribed: false }),
    }
    try {
      await contacts.changeIn(engineUnit.unit, contact.projectId, contact.id, wanted, "workflow")
    } catch (cause) {
      if (cause instanceof DomainError) throw new UnitFault(execution.id, execution.steps, cause.message)
      throw cause
    }
    return passed()
  }

  async function startStep(start: Start): Promise<StepResult> {
    const { engineUnit, execution, node, contact } = start
    const { type, config } = node.step
    const { now } = engineUnit.unit
    switch (type) {
      case "TRIGGER":
        return passed(execution.eventId === null ? {} : { eventId: execution.eventId })
      case "SEND_EMAIL":
        return sendEmail(start)
      case "DELAY":
        return { is: "resting", until: now + delayOf(config), waitsFor: null }
      case "WAIT_FOR_EVENT": {
        const { timeout, eventName } = config
        const until = typeof timeout === "number" ? now + Math.round(timeout * second) : null
        return { is: "resting", until, waitsFor: String(eventName) }
      }
      case "CONDITION": {
        const branch = node.branchOf?.({ contact, context: execution.context }, now) ?? "default"
        return passed({ branch }, branch)
      }
      case "WEBHOOK":
        return { is: "calling" }
      case "UPDATE_CONTACT":
        return updateContact(start)
      case "EXIT":
        return { is: "exited", reason: String(config.reason ?? "") || "exit_step" }
    }
  }

  return async (start: Start): Promise<StepResult> => {
    try {
      return await startStep(start)
    } catch (cause) {
      if (isShortOfTime(cause)) throw new StepDelayed(reasonOfFault(cause))
      const reason = reasonOfFault(cause)
      if (reason === undefined) throw cause
      throw new StepFault(reason)
    }
  }
}

export type StartStep = ReturnType<typeof createSteps>
