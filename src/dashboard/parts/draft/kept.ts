const keyPrefix = "mailstead.draft."

/** The edited content, and the base it was made from. */
export interface Edited<Base, Content> {
  readonly base: Base
  readonly content: Content
}

interface Kept extends Edited<unknown, unknown> {
  /** The version of the program that wrote it; another one may have different content. */
  readonly version: string
}

/** A draft that is stored in this browser until it is saved or discarded. */
export interface KeptDraft<Base, Content> {
  /** Null when there is no usable one; an unusable one is deleted. */
  read(): Edited<Base, Content> | null
  /** False when the browser's storage is full. */
  write(edited: Edited<Base, Content>): boolean
  forget(): void
}

/** `name` identifies the user, whose text nobody else who signs in here may see, the project and the item. */
export function keptDraft<Base, Content>(name: string, version: string): KeptDraft<Base, Content> {
  const key = keyPrefix + name
  return {
    read() {
      try {
        const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null
        if (kept?.version === version) return kept as Edited<Base, Content>
        localStorage.removeItem(key)
      } catch {
        // There is no storage, or nothing readable in it.
      }
      return null
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

/** Deletes all stored drafts, when the user signs out. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(keyPrefix)) localStorage.removeItem(key)
}
