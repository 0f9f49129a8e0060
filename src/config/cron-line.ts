import { Cron } from "croner"
import { type Kind, shown } from "./kinds.ts"

/** The fields of a cron line with what each is made of. */
const fields = [
  ["minute", "0 to 59"],
  ["hour", "0 to 23"],
  ["day of the month", "1 to 31"],
  ["month", "1 to 12"],
  ["day of the week", "0 to 7"],
] as const

/** A cron line in UTC with a time to come; the message says which field is wrong. */
export const cronLine: Kind<string> = {
  read(given) {
    const line = typeof given === "string" ? given.trim() : ""
    const expected = problemOf(line)
    return expected === undefined ? { value: line } : { expected }
  },
  show: shown,
}

/** What is expected instead, or undefined for a valid line. */
function problemOf(line: string): string | undefined {
  const parts = line.split(/\s+/)
  if (parts.length !== fields.length) return "a cron line of five fields"
  for (const [at, [name, range]] of fields.entries()) {
    const alone = fields.map((_, other) => (other === at ? parts[at] : "*")).join(" ")
    if (cronOf(alone) === undefined) return `a cron line whose ${name} (field ${at + 1}) is made of ${range}`
  }
  return cronOf(line)?.nextRun() ? undefined : "a cron line of a day that exists"
}

function cronOf(line: string): Cron | undefined {
  try {
    return new Cron(line, { paused: true, utcOffset: 0 })
  } catch {
    return undefined
  }
}
