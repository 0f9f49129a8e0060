import { isGiven } from "../../http/schema.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import { isObject } from "../../kernel/json.ts"
import { dataFaults } from "../contacts/index.ts"
import { conditionFaults } from "./condition.ts"
import {
  amountFaults,
  at,
  choiceFaults,
  hasPlaceholder,
  mistyped,
  required,
  syntaxFaults,
  wordFaults,
} from "./config-faults.ts"
import { eventFilterFaults } from "./event-filter.ts"
import { configLimitFaults } from "./limits.ts"
import type { StepConfig, StepType } from "./table.ts"
import { webhookFaults } from "./webhook-config.ts"

const maxYear = 31_536_000
const maxDelay = { minutes: 525_600, hours: 8_760, days: 365 } as const
const subscriptionActions = ["none", "subscribe", "unsubscribe"] as const

function recipientFaults(recipient: unknown): Fault[] {
  if (!isGiven(recipient)) return []
  if (!isObject(recipient)) return mistyped("recipient", recipient, "an object")
  const { type, customEmail } = recipient
  if (!isGiven(type)) return required("recipient.type")
  if (type !== "CUSTOM") return choiceFaults("recipient.type", type, ["CONTACT", "CUSTOM"])
  const key = "recipient.customEmail"
  if (!isGiven(customEmail)) return required(key)
  if (typeof customEmail !== "string") return mistyped(key, customEmail, "a string")
  if (hasPlaceholder(customEmail)) return syntaxFaults(key, customEmail)
  return parseAddress(customEmail) === undefined ? at(key, "invalid_string", "must be an email address") : []
}

function updateFaults({ updates, data, subscriptionAction }: StepConfig): Fault[] {
  const key = isGiven(updates) ? "updates" : "data"
  const sent = updates ?? data
  const acts = isGiven(subscriptionAction) && subscriptionAction !== "none"
  if (!isGiven(sent) && !acts) return required("updates")
  const action = choiceFaults("subscriptionAction", subscriptionAction, subscriptionActions)
  if (!isGiven(sent)) return action
  if (!isObject(sent)) return [...mistyped(key, sent, "an object"), ...action]
  const [ofData] = dataFaults(sent)
  return [...(ofData ? [fault(`config.${key}`, ofData.code, ofData.message)] : syntaxFaults(key, sent)), ...action]
}

function delayFaults({ amount, unit }: StepConfig): Fault[] {
  const max = Object.entries(maxDelay).find(([name]) => name === unit)?.[1] ?? Number.MAX_VALUE
  return [
    ...(isGiven(amount) ? amountFaults("amount", amount, max) : required("amount")),
    ...(isGiven(unit) ? choiceFaults("unit", unit, Object.keys(maxDelay)) : required("unit")),
  ]
}

function timeoutFaults(timeout: unknown): Fault[] {
  if (!isGiven(timeout)) return []
  const tooSmall = typeof timeout === "number" && timeout > 0 && timeout < 1
  return tooSmall ? at("timeout", "too_small", "must be at least 1") : amountFaults("timeout", timeout, maxYear)
}

const waitFaults = ({ eventName, timeout, filter }: StepConfig): Fault[] => [
  ...(isGiven(eventName) ? wordFaults("eventName", eventName, 255) : required("eventName")),
  ...timeoutFaults(timeout),
  ...(isGiven(filter) ? eventFilterFaults(filter) : []),
]

function exitFaults({ reason }: StepConfig): Fault[] {
  if (!isGiven(reason)) return []
  if (typeof reason !== "string") return mistyped("reason", reason, "a string")
  return Array.from(reason).length > 255 ? at("reason", "too_big", "must have at most 255 characters") : []
}

const faultsOf: Readonly<Record<StepType, (config: StepConfig) => Fault[]>> = {
  TRIGGER: () => [],
  SEND_EMAIL: ({ recipient }) => recipientFaults(recipient),
  DELAY: delayFaults,
  WAIT_FOR_EVENT: waitFaults,
  CONDITION: conditionFaults,
  WEBHOOK: webhookFaults,
  UPDATE_CONTACT: updateFaults,
  EXIT: exitFaults,
}

/**
 * The faults of the config of a step, without those of `templateId` (contract B5.4). Compiles the templates in it, so it is
 * not called within a unit of work.
 */
export function configFaults(type: StepType, config: StepConfig): Fault[] {
  const tooBig = configLimitFaults(config)
  return tooBig.length > 0 ? tooBig : faultsOf[type](config)
}

/**
 * The faults of what a step does: those of its config, and of the template that this names, unless one is sent beside the
 * config.
 */
export const contentFaults = (
  type: StepType,
  { config, templateId }: { readonly config: StepConfig; readonly templateId?: unknown },
): Fault[] => [...(isGiven(templateId) ? [] : templateIdFaults(type, config.templateId)), ...configFaults(type, config)]

/** The faults of the template that a step sends. */
export function templateIdFaults(type: StepType, templateId: unknown): Fault[] {
  if (type !== "SEND_EMAIL") return []
  if (!isGiven(templateId)) return required("templateId")
  if (typeof templateId !== "string") return mistyped("templateId", templateId, "a string")
  return parseId(templateId) === undefined ? at("templateId", "invalid_string", "must be a UUID") : []
}
