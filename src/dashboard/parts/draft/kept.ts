const keyPrefix = "mailstead.draft."

/** What is edited, and what it was made from. */
export interface Edited<Base, Content> {
  readonly base: Base
  readonly content: Content
}

interface Kept extends Edited<unknown, unknown> {
  /** Of the program that wrote it: another one may edit other content. */
  readonly version: string
}

/** A draft that this browser keeps until it is saved or given up. */
export interface KeptDraft<Base, Content> {
  /** Null when there is none that can be used. */
  read(): Edited<Base, Content> | null
  /** False when the browser has no room for it. */
  write(edited: Edited<Base, Content>): boolean
  forget(): void
}

/** `name` is that of a thing of a project. */
export function keptDraft<Base, Content>(name: string, version: string): KeptDraft<Base, Content> {
  const key = keyPrefix + name
  return {
    read() {
      try {
        const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null
        return kept?.version === version ? (kept as Edited<Base, Content>) : null
      } catch {
        return null
      }
    },
    write(edited) {
      try {
        localStorage.setItem(key, JSON.stringify({ ...edited, version } satisfies Kept))
        return true
      } catch {
        localStorage.removeItem(key)
        return false
      }
    },
    forget: () => localStorage.removeItem(key),
  }
}

/** Gives up all drafts that are kept: for signing out. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(keyPrefix)) localStorage.removeItem(key)
}
