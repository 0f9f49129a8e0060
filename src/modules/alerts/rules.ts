import type { AlertState } from "../../kernel/alert-state.ts"
import type { Alert } from "./table.ts"

interface Changes {
  readonly begun: readonly AlertState[]
  readonly ended: readonly Alert[]
}

/**
 * The changes since the alerts were stored. An alert whose state is no longer reported has ended, unless some sources
 * could not be asked. Of several states with the same key, an active one wins. Pure.
 */
export function changesIn(alerts: readonly Alert[], found: readonly AlertState[], isComplete: boolean): Changes {
  const known = new Set(alerts.map(({ key }) => key))
  const states = new Map<string, AlertState["active"]>()
  for (const { key, active } of found) states.set(key, both(states.has(key) ? states.get(key) : false, active))
  const hasEnded = ({ key }: Alert) => (states.has(key) ? states.get(key) === false : isComplete)
  return {
    begun: found.filter(({ key, active }) => active === true && !known.has(key)),
    ended: alerts.filter(hasEnded),
  }
}

const both = (one: AlertState["active"], other: AlertState["active"]): AlertState["active"] =>
  one === true || other === true ? true : one === undefined || other === undefined ? undefined : false
