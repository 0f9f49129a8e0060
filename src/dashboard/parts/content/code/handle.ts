/** The operations of a loaded code editor. */
export interface CodeHandle {
  /** Replaces the selection by a text, with the cursor after it. */
  insert(text: string): void
  /** Moves the cursor to a position, both from 1, the column in code points. */
  goTo(line: number, column: number): void
}

export interface Completion {
  readonly name: string
  /** A description, in a word or two. */
  readonly detail: string
}

export interface CodeEditorProps {
  /** The text. A change from outside the editor replaces its content. */
  value: string
  onChange(value: string): void
  onFocus(): void
  /** Pasted or dropped files. */
  onFiles(files: readonly File[]): void
  onHandle(handle: CodeHandle | null): void
  /** Offered between double braces. */
  variables: readonly Completion[]
  fault: { readonly line: number; readonly column: number; readonly message: string } | null
}
