import type { Engine } from "../../engine.ts"
import { DomainError } from "../../kernel/errors.ts"
import { reasonOf } from "../../kernel/log.ts"
import { isUnavailable } from "../../store/writer.ts"
import { listChecked } from "./store.ts"
import type { Domain } from "./table.ts"

const atOnce = 8

/**
 * Checks every domain of every project, a few at a time, until `abort` does. One that fails is logged and does not keep
 * the others from being checked.
 */
export function createCheckAll(
  { store, log }: Pick<Engine, "store" | "log">,
  check: (domain: Domain) => Promise<unknown>,
) {
  async function checkOne(domain: Domain): Promise<void> {
    try {
      await check(domain)
    } catch (cause) {
      if (isUnavailable(cause)) throw cause
      if (isMissing(cause)) return
      log.error("A domain could not be checked", { domain: domain.domain, reason: reasonOf(cause) })
    }
  }

  return async (abort: AbortSignal): Promise<void> => {
    for (let after = ""; !abort.aborted; ) {
      const next = await listChecked(store.read, after, atOnce)
      if (next.length === 0) return
      after = next.at(-1)?.id ?? ""
      await Promise.all(next.map(checkOne))
    }
  }
}

/** The domain was deleted during the lookup. */
const isMissing = (cause: unknown): boolean => cause instanceof DomainError && cause.kind === "not_found"
