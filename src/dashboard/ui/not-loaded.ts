/** A signal that something could not be loaded which the page in view can do without, such as a dialog. */
interface State {
  readonly isTold: boolean
  /** What failed is loaded again when this changes. */
  readonly attempt: number
}

let state: State = { isTold: false, attempt: 0 }
const listeners = new Set<() => void>()

function become(next: State): void {
  state = next
  for (const listener of listeners) listener()
}

export const notLoaded = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  isTold: (): boolean => state.isTold,
  attempt: (): number => state.attempt,
  tell(): void {
    if (!state.isTold) become({ ...state, isTold: true })
  },
  /** Once the server may answer again. */
  tryAgain(): void {
    if (state.isTold) become({ isTold: false, attempt: state.attempt + 1 })
  },
}
