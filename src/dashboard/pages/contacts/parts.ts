/** The parts of an open contact, one of which is visible. */
export const parts = {
  fields: "Fields",
  json: "JSON",
  activity: "Activity",
  emails: "Emails",
  events: "Events",
  workflows: "Workflows",
} as const

export type Part = keyof typeof parts

export const isPart = (value: string | null): value is Part => value !== null && Object.hasOwn(parts, value)
