/** A kind of signal, named `noun.past`, with the type of its payload: ids and small facts, never a document. */
export interface SignalKind<P> {
  readonly name: string
  /** Only for the type: it is never set. */
  readonly payload?: P
}

export const defineSignal = <P>(name: string): SignalKind<P> => ({ name })

/** A signal as a subscriber receives it. `seq` increases in commit order. */
export interface Signal<P = unknown> {
  readonly seq: number
  readonly name: string
  readonly projectId: string
  readonly payload: P
  readonly createdAt: number
}

export const isSignal = <P>(signal: Signal, kind: SignalKind<P>): signal is Signal<P> => signal.name === kind.name
