/** What the page can do with the code editor once it is there. */
export interface CodeHandle {
  /** Puts text in place of the selection, and the cursor behind it. */
  insert(text: string): void
  /** Puts the cursor to a place, both from 1, the column in code points. */
  goTo(line: number, column: number): void
}

export interface Completion {
  readonly name: string
  /** What it is, in a word or two. */
  readonly detail: string
}

export interface CodeEditorProps {
  /** The text. A change that did not come from the editor replaces what is in it. */
  value: string
  onChange(value: string): void
  onFocus(): void
  onHandle(handle: CodeHandle | null): void
  /** Offered between double braces. */
  variables: readonly Completion[]
  fault: { readonly line: number; readonly column: number; readonly message: string } | null
}
