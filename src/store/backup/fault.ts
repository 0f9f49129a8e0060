import { DomainError } from "../../kernel/errors.ts"

/** A backup that cannot be taken or restored: a sentence that says why, and what to do. */
export const backupFault = (message: string): DomainError => new DomainError("conflict", "BACKUP_REFUSED", message)

export const damaged = (): DomainError => backupFault("The backup is damaged: it was changed or cut off.")

export const backupStopped = (): DomainError => backupFault("The backup was stopped. Nothing is left of it.")
