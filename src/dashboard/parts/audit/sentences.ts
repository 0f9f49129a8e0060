import type { AuditEntry } from "../../api/projects.ts"
import { sentenceCase } from "../../ui/format.ts"

type Details = AuditEntry["details"]

const text = (details: Details, key: string): string => String(details[key] ?? "")
const roleOf = (details: Details): string => text(details, "role").toLowerCase()

const sentences: Readonly<Record<string, (details: Details) => string>> = {
  "account.created": ({ first }) => (first === true ? "Made the first account of this server" : "Made an account"),
  "account.signed_in": () => "Signed in",
  "account.sign_in_failed": ({ email, failures }) =>
    `Failed ${failures} times to sign in${email === undefined ? "" : ` as ${email}`}`,
  "account.password_changed": () => "Changed their password",
  "account.password_reset": () => "Set a new password by a link",
  "account.password_set": (details) => `Set the password of ${text(details, "email")}`,
  "account.address_changed": () => "Changed their address",
  "member.added": (details) => `Added ${text(details, "email")} as ${roleOf(details)}`,
  "member.role_changed": (details) => `Made ${text(details, "email")} ${roleOf(details)}`,
  "member.removed": (details) => `Removed ${text(details, "email")}`,
  "member.left": () => "Left the project",
  "project.created": () => "Created the project",
  "project.changed": (details) => `Changed the settings: ${formatChange(details)}`,
  "project.keys_rotated": () => "Made new keys",
  "domain.added": (details) => `Added the domain ${text(details, "domain")}`,
  "domain.deleted": (details) => `Deleted the domain ${text(details, "domain")}`,
  "domain.keys_rotated": (details) => `Made new DKIM keys for ${text(details, "domain")}`,
  "field.deleted": (details) => `Deleted the field ${text(details, "field")} of all contacts`,
  "contacts.deleted": (details) => `Deleted ${formatSelection(details)}`,
  "events.deleted": (details) => `Deleted all events named ${text(details, "event")}`,
  "project.reset": () => "Reset the project",
  "project.deleted": (details) => `Deleted the project ${text(details, "name")}`,
  "project.disabled": () => "Disabled the project",
  "project.enabled": () => "Enabled the project",
  "backup.requested": () => "Asked for a backup of the server",
  "backup.downloaded": (details) => `Downloaded the backup ${text(details, "name")}`,
  "sending.resumed": () => "Resumed sending after a restore",
}

/** An action as a sentence; an unknown action by its name. */
export function sentenceOf({ action, details }: Pick<AuditEntry, "action" | "details">): string {
  return sentences[action]?.(details) ?? sentenceCase(action.replaceAll(/[._]/g, " ").toUpperCase())
}

function formatSelection({ contacts, filter, excluded }: Details): string {
  if (typeof contacts === "number") return contacts === 1 ? "a contact" : `${contacts} contacts`
  const { find, search, subscribed } = (filter ?? {}) as { find?: string; search?: string; subscribed?: boolean }
  const wanted = find ?? search
  const which = subscribed === undefined ? "all contacts" : `all ${subscribed ? "" : "un"}subscribed contacts`
  return `${which}${wanted === undefined ? "" : ` with “${wanted}”`}${excluded ? ` but ${excluded}` : ""}`
}

const settingNames: Readonly<Record<string, string>> = {
  name: "the name",
  language: "the language",
  tracking: "tracking",
  publicResubscribe: "subscribing again by the public key",
  postalAddress: "the postal address",
}

const valueNames: Readonly<Record<string, string>> = {
  ENABLED: "on for all mail",
  MARKETING_ONLY: "on for marketing mail only",
  DISABLED: "off",
  true: "on",
  false: "off",
  null: "empty",
}

const formatChange = (details: Details): string =>
  Object.entries(details)
    .map(([key, value]) => `${settingNames[key] ?? key} is now ${shownValue(key, value)}`)
    .join(", ")

/** A project may be called DISABLED. */
const shownValue = (key: string, value: unknown): string =>
  typeof value === "string" && ["name", "postalAddress"].includes(key)
    ? `“${value}”`
    : (valueNames[String(value)] ?? String(value))
