import {
  type Icon,
  IconArrowsSplit,
  IconBolt,
  IconClock,
  IconHourglass,
  IconLogout,
  IconMail,
  IconUserEdit,
  IconWebhook,
} from "@tabler/icons-react"
import type { Data } from "../../../../api/types.ts"
import type { StepType } from "../../../../api/workflows.ts"
import { freshId, type Step } from "./graph.ts"

/** A type of step as people know it. */
interface StepKind {
  readonly name: string
  /** What it does, in one line. */
  readonly about: string
  readonly icon: Icon
  /** The tone of its icon. */
  readonly tone: "start" | "mail" | "time" | "choice" | "action" | "end"
  readonly config: Data
}

export const kinds: Readonly<Record<StepType, StepKind>> = {
  TRIGGER: {
    name: "Start",
    about: "What brings people into the workflow.",
    icon: IconBolt,
    tone: "start",
    config: {},
  },
  SEND_EMAIL: {
    name: "Send an email",
    about: "Sends a template to the contact, or to an address of yours.",
    icon: IconMail,
    tone: "mail",
    config: { recipient: { type: "CONTACT" } },
  },
  DELAY: {
    name: "Wait a while",
    about: "Rests for minutes, hours or days.",
    icon: IconClock,
    tone: "time",
    config: { amount: 1, unit: "days" },
  },
  WAIT_FOR_EVENT: {
    name: "Wait for an event",
    about: "Rests until the contact does something, or until time is up.",
    icon: IconHourglass,
    tone: "time",
    config: { eventName: "", timeout: 259_200 },
  },
  CONDITION: {
    name: "Branch",
    about: "Goes one way or another, by what is known of the contact.",
    icon: IconArrowsSplit,
    tone: "choice",
    config: {},
  },
  UPDATE_CONTACT: {
    name: "Update the contact",
    about: "Sets custom fields, subscribes or unsubscribes.",
    icon: IconUserEdit,
    tone: "action",
    config: { updates: {} },
  },
  WEBHOOK: {
    name: "Call a webhook",
    about: "Sends an HTTP request to another program.",
    icon: IconWebhook,
    tone: "action",
    config: { method: "POST", url: "" },
  },
  EXIT: {
    name: "End here",
    about: "Ends the workflow for the contact, with a reason for the records.",
    icon: IconLogout,
    tone: "end",
    config: {},
  },
}

/** Those that can be added, in the order of the palette. */
export const addable = [
  "SEND_EMAIL",
  "DELAY",
  "WAIT_FOR_EVENT",
  "CONDITION",
  "UPDATE_CONTACT",
  "WEBHOOK",
  "EXIT",
] as const satisfies readonly StepType[]

export const newStep = (type: StepType): Step => ({
  id: freshId(),
  type,
  name: kinds[type].name,
  config: kinds[type].config,
  templateId: null,
})
