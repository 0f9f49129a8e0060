import { second } from "../../kernel/clock.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import type { StepConfig } from "./table.ts"

/* The limits of graphs (contract B5.3.7). */

export const maxSteps = 1_000
export const maxTransitions = 5_000
/** The configs of all steps of a workflow together, as JSON in bytes. */
export const maxGraphBytes = 2_000_000
/** The shortest rest of a DELAY step (contract B5.4.3), so that a circle of steps with one does not run without a rest. */
export const shortestDelayMs = second

const maxConfigBytes = 65_536
const maxConfigLevels = 50
/** Compiling these takes some ten milliseconds. */
const maxConfigTags = 1_000

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Whether a value has more levels than that; looks no further. */
function isDeeper(value: unknown, levels: number): boolean {
  let inner: unknown[] = [value]
  for (let level = 0; level <= levels; level++) {
    inner = inner.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []))
    if (inner.length === 0) return false
  }
  return true
}

/** What is too big about the config of a step. */
export function configLimitFaults(config: StepConfig): Fault[] {
  const tooBig = (says: string) => [fault("config", "too_big", `config ${says}.`)]
  if (isDeeper(config, maxConfigLevels)) return tooBig(`must have at most ${maxConfigLevels} levels`)
  const text = JSON.stringify(config)
  if (Buffer.byteLength(text) > maxConfigBytes) return tooBig(`must have at most ${maxConfigBytes} bytes`)
  return text.split("{{").length - 1 > maxConfigTags ? tooBig(`must have at most ${maxConfigTags} template tags`) : []
}

export const isGraphTooBig = (steps: readonly { readonly config: StepConfig }[]): boolean =>
  steps.reduce((sum, { config }) => sum + bytesOf(config), 0) > maxGraphBytes
