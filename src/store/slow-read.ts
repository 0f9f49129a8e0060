import { DomainError } from "../kernel/errors.ts"

/** A read of the read pool was stopped because it exceeded its time limit. */
export class SlowRead extends DomainError {
  constructor(limitMs: number) {
    super(
      "malformed",
      "BAD_REQUEST",
      `Evaluating this condition takes longer than ${limitMs / 1_000} seconds for a part of the contacts. Use fewer or simpler filters.`,
    )
  }
}
