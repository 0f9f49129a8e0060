import { conflict, notFound } from "../../../kernel/errors.ts"
import type { Db } from "../../../store/database.ts"
import type { Draft } from "../table.ts"
import { findDraft } from "./store.ts"

export async function getDraft(db: Db, workflowId: string): Promise<Draft> {
  const draft = await findDraft(db, workflowId)
  if (draft === undefined) throw notFound("Draft", workflowId)
  return draft
}

/** @throws {DomainError} 409 unless the draft is the one that the caller has read */
export function requireDraftVersion(draft: Draft | undefined, version: number | undefined): void {
  if ((draft?.revision ?? 0) === (version ?? 0)) return
  throw draft === undefined
    ? conflict("There is no draft any more.", { version: null })
    : conflict(`The draft has changed: it is version ${draft.revision} now.`, { version: draft.revision })
}
