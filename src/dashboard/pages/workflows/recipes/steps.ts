import type { Data } from "../../../api/types.ts"
import type { StepType } from "../../../api/workflows.ts"
import { plain, type SentStepOf } from "./types.ts"

/** Where a step stands: the step that leads to it, `""` for the trigger, and the exit of that step. */
type Position = readonly [after: string, branch?: string]

const step =
  (type: StepType, config?: Data) =>
  (key: string, name: string, [after, branch]: Position): SentStepOf => ({
    key,
    type,
    name,
    ...(config && { config }),
    after,
    ...(branch !== undefined && { branch }),
  })

/** A mail of the template with this key. */
const mail =
  (template: string) =>
  (key: string, name: string, position: Position): SentStepOf => ({
    ...step("SEND_EMAIL")(key, name, position),
    mail: template,
  })
const days = (amount: number) => step("DELAY", { amount, unit: "days" })
const event = (eventName: string, timeout: number) => step("WAIT_FOR_EVENT", { eventName, timeout })
const exit = (reason: string) => step("EXIT", { reason })
const isPro = step("CONDITION", { field: "data.plan", operator: "equals", value: "pro" })

/** The steps of each recipe. Times of waits are in seconds. */
export const stepsOf: Readonly<Record<string, readonly SentStepOf[]>> = {
  welcome: [
    mail("welcome-hello")("hello", "Welcome", [""]),
    days(2)("rest", "Two days", ["hello"]),
    mail("welcome-first")("first", "First steps", ["rest"]),
    event("project.created", 345_600)("active", "Did they begin?", ["first"]),
    exit("active")("done", "They have begun", ["active", plain]),
    mail("welcome-help")("help", "Can we help?", ["active", "timeout"]),
  ],
  cart: [
    event("order.placed", 14_400)("wait", "Wait for the order", [""]),
    exit("ordered")("bought", "Ordered", ["wait", plain]),
    mail("cart-remind")("remind", "Your cart", ["wait", "timeout"]),
    event("order.placed", 86_400)("again", "Wait once more", ["remind"]),
    exit("ordered")("late", "Ordered after all", ["again", plain]),
    mail("cart-last")("last", "Last reminder", ["again", "timeout"]),
  ],
  "win-back": [
    mail("win-miss")("miss", "We miss you", [""]),
    event("session.started", 604_800)("seen", "Do they come back?", ["miss"]),
    exit("back")("back", "They are back", ["seen", plain]),
    mail("win-offer")("offer", "What is new", ["seen", "timeout"]),
    days(14)("rest", "Two weeks", ["offer"]),
    step("UPDATE_CONTACT", { updates: { dormant: true } })("let", "Mark as dormant", ["rest"]),
  ],
  trial: [
    days(11)("rest", "Until three days before", [""]),
    isPro("paid", "Have they upgraded?", ["rest"]),
    exit("upgraded")("out", "Upgraded", ["paid", "yes"]),
    mail("trial-soon")("soon", "Three days left", ["paid", "no"]),
    event("plan.upgraded", 172_800)("wait", "Until the last day", ["soon"]),
    exit("upgraded")("yes", "Upgraded in time", ["wait", plain]),
    mail("trial-last")("last", "Ends tomorrow", ["wait", "timeout"]),
  ],
  "post-purchase": [
    mail("order-thanks")("thanks", "Thank you", [""]),
    days(7)("rest", "Until it has arrived", ["thanks"]),
    mail("order-review")("review", "How was it?", ["rest"]),
  ],
}
