import { parseAddress } from "../../kernel/email-address.ts"
import { type Fault, type FaultCode, fault } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import { isObject } from "../../kernel/json.ts"
import { compileTemplate, TemplateFault } from "../../mail/render/index.ts"
import { conditionFaults } from "./condition.ts"
import type { StepConfig, StepType } from "./table.ts"

const maxYear = 31_536_000
const maxDelay = { minutes: 525_600, hours: 8_760, days: 365 } as const
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
const subscriptionActions = ["none", "subscribe", "unsubscribe"] as const

const at = (key: string, code: FaultCode, says: string): Fault[] => [
  fault(`config.${key}`, code, `config.${key} ${says}.`),
]
const required = (key: string) => at(key, "required", "is required")
const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function wordFaults(key: string, value: unknown, max: number): Fault[] {
  if (typeof value !== "string") return at(key, "invalid_type", "must be a string")
  if (value.trim() === "") return required(key)
  return Array.from(value).length > max ? at(key, "too_big", `must have at most ${max} characters`) : []
}

function choiceFaults(key: string, value: unknown, allowed: readonly string[]): Fault[] {
  if (!isGiven(value)) return []
  return allowed.includes(value as string) ? [] : at(key, "invalid_enum", `must be one of ${allowed.join(", ")}`)
}

/** Faults of a number that is above 0 and at most `max`. */
function amountFaults(key: string, value: unknown, max: number): Fault[] {
  if (typeof value !== "number") return at(key, "invalid_type", "must be a number")
  if (value <= 0) return at(key, "too_small", "must be more than 0")
  return value > max ? at(key, "too_big", "must be at most 365 days") : []
}

/** The faults of template syntax in the strings of a value, at any depth, under one key. */
function syntaxFaults(key: string, value: unknown): Fault[] {
  if (typeof value === "string") {
    try {
      compileTemplate(value, "subject")
      return []
    } catch (cause) {
      if (cause instanceof TemplateFault) return at(key, "custom", `is not a valid template: ${cause.message}`)
      throw cause
    }
  }
  const parts = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  for (const part of parts) {
    const faults = syntaxFaults(key, part)
    if (faults.length > 0) return faults
  }
  return []
}

const hasPlaceholder = (text: string): boolean => text.includes("{{")

function recipientFaults(recipient: unknown): Fault[] {
  if (!isGiven(recipient)) return []
  if (!isObject(recipient)) return at("recipient", "invalid_type", "must be an object")
  if (recipient.type === "CONTACT") return []
  if (recipient.type !== "CUSTOM") return at("recipient.type", "invalid_enum", "must be one of CONTACT, CUSTOM")
  const { customEmail } = recipient
  const key = "recipient.customEmail"
  if (!isGiven(customEmail)) return required(key)
  if (typeof customEmail !== "string") return at(key, "invalid_type", "must be a string")
  if (hasPlaceholder(customEmail)) return syntaxFaults(key, customEmail)
  return parseAddress(customEmail) === undefined ? at(key, "invalid_string", "must be an email address") : []
}

function urlFaults(url: unknown): Fault[] {
  if (!isGiven(url) || url === "") return required("url")
  if (typeof url !== "string") return at("url", "invalid_type", "must be a string")
  if (hasPlaceholder(url)) return syntaxFaults("url", url)
  return ["http:", "https:"].includes(URL.parse(url)?.protocol ?? "")
    ? []
    : at("url", "invalid_string", "must be an http or https address")
}

function headerFaults(headers: unknown): Fault[] {
  if (!isGiven(headers)) return []
  if (!isObject(headers)) return at("headers", "invalid_type", "must be an object")
  const wrong = Object.values(headers).some((value) => typeof value !== "string")
  return wrong ? at("headers", "invalid_type", "must have strings as values") : syntaxFaults("headers", headers)
}

function updateFaults({ updates, data, subscriptionAction }: StepConfig): Fault[] {
  const key = isGiven(updates) ? "updates" : "data"
  const sent = updates ?? data
  const acts = isGiven(subscriptionAction) && subscriptionAction !== "none"
  if (!isGiven(sent) && !acts) return required("updates")
  const action = choiceFaults("subscriptionAction", subscriptionAction, subscriptionActions)
  if (!isGiven(sent)) return action
  return [...(isObject(sent) ? syntaxFaults(key, sent) : at(key, "invalid_type", "must be an object")), ...action]
}

/** The faults of the config of a step (contract B5.4). `templateId` of a SEND_EMAIL step is the one that counts. */
export function configFaults(type: StepType, config: StepConfig, templateId: unknown): Fault[] {
  switch (type) {
    case "TRIGGER":
      return []
    case "SEND_EMAIL": {
      const template = !isGiven(templateId)
        ? required("templateId")
        : typeof templateId !== "string"
          ? at("templateId", "invalid_type", "must be a string")
          : parseId(templateId) === undefined
            ? at("templateId", "invalid_string", "must be a UUID")
            : []
      return [...template, ...recipientFaults(config.recipient)]
    }
    case "DELAY": {
      const { amount, unit } = config
      const units = Object.keys(maxDelay)
      const max = maxDelay[unit as keyof typeof maxDelay] ?? Number.MAX_VALUE
      return [
        ...(isGiven(amount) ? amountFaults("amount", amount, max) : required("amount")),
        ...(isGiven(unit) ? choiceFaults("unit", unit, units) : required("unit")),
      ]
    }
    case "WAIT_FOR_EVENT": {
      const { eventName, timeout } = config
      const name = isGiven(eventName) ? wordFaults("eventName", eventName, 255) : required("eventName")
      if (!isGiven(timeout)) return name
      const tooSmall = typeof timeout === "number" && timeout > 0 && timeout < 1
      return [
        ...name,
        ...(tooSmall ? at("timeout", "too_small", "must be at least 1") : amountFaults("timeout", timeout, maxYear)),
      ]
    }
    case "CONDITION":
      return conditionFaults(config)
    case "WEBHOOK":
      return [
        ...urlFaults(config.url),
        ...choiceFaults("method", config.method, methods),
        ...headerFaults(config.headers),
        ...syntaxFaults("body", config.body),
      ]
    case "UPDATE_CONTACT":
      return updateFaults(config)
    case "EXIT": {
      const { reason } = config
      if (!isGiven(reason)) return []
      if (typeof reason !== "string") return at("reason", "invalid_type", "must be a string")
      return Array.from(reason).length > 255 ? at("reason", "too_big", "must have at most 255 characters") : []
    }
  }
}
