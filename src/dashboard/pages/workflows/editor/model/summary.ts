import type { Data } from "../../../../api/types.ts"
import { formatFilter } from "../../../../parts/condition/model/sentence.ts"
import { count } from "../../../../ui/format.ts"
import { branchesOf, isMulti } from "./exits.ts"
import type { Step } from "./graph.ts"

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const

/** `3 days` */
export function formatSeconds(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds % size === 0 && seconds >= size) ?? ["second", 1]
  return count(seconds / size, unit)
}

interface SummaryNames {
  templateName(id: string): string | undefined
  /** What starts the workflow, in a few words. */
  readonly trigger: string
}

/** What a step does, in a few words; `""` while that is unknown. */
export function summaryOf({ type, config, templateId }: Step, names: SummaryNames): string {
  switch (type) {
    case "TRIGGER":
      return names.trigger
    case "SEND_EMAIL":
      return templateId === null ? "" : (names.templateName(templateId) ?? "")
    case "DELAY":
      return typeof config.amount === "number" && typeof config.unit === "string"
        ? count(config.amount, config.unit.replace(/s$/, ""))
        : ""
    case "WAIT_FOR_EVENT":
      return [
        typeof config.eventName === "string" ? config.eventName : "",
        typeof config.timeout === "number" ? `at most ${formatSeconds(config.timeout)}` : "",
      ]
        .filter((part) => part !== "")
        .join(", ")
    case "CONDITION":
      return conditionSummary(config)
    case "WEBHOOK":
      return typeof config.url === "string" && config.url !== "" ? `${config.method ?? "POST"} ${config.url}` : ""
    case "UPDATE_CONTACT":
      return updateSummary(config)
    case "EXIT":
      return typeof config.reason === "string" ? config.reason : ""
  }
}

/** The field of a condition as segments have it: a path of the event is compared like one of `data`. */
export const asDataField = (field: string): string =>
  field.replace(/^contact\./, "").replace(/^(?:event|workflow)\./, "data.")

function conditionSummary(config: Data): string {
  const { field, operator } = config
  if (typeof field !== "string" || field === "") return ""
  const name = field.replace(/^(?:contact\.)?data\./, "")
  if (isMulti(config)) return `${name}, ${count(branchesOf(config).length + 1, "way")}`
  if (typeof operator !== "string" || (config.value === undefined && !/xists$/.test(operator))) return name
  return formatFilter({ ...config, field: asDataField(field), operator } as never, () => null)
}

function updateSummary({ updates, data, subscriptionAction }: Data): string {
  const keys = Object.keys((updates ?? data ?? {}) as object)
  const parts = [
    keys.length > 0 ? `Sets ${keys.join(", ")}` : "",
    subscriptionAction === "subscribe" ? "Subscribes" : "",
    subscriptionAction === "unsubscribe" ? "Unsubscribes" : "",
  ].filter((part) => part !== "")
  return parts.join("; ")
}
