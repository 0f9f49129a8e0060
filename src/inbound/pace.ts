import { second } from "../kernel/clock.ts"

/**
 * The least progress of a message that is being received: this many bytes in this time, a thirtieth of the speed of a
 * modem, and for a large message this share of its memory.
 */
const progressBytes = 1_024
const progressPart = 1 / 1_024
const withinMs = 30 * second
/** How long a connection may make no progress before it can be closed in favour of another one. */
const replaceableMs = 10 * second

/** The progress of a connection so far. */
export interface Done {
  /** The client waits for us. */
  readonly waiting: boolean
  readonly receiving: boolean
  /** Bytes that have come, and lines of commands that were complete. */
  readonly bytes: number
  readonly commands: number
  /** Bytes of the message that is being received. */
  readonly held: number
}

/**
 * Whether a connection makes progress: by complete commands or, within a message, enough bytes. Single bytes do not
 * count, so that slow clients cannot keep their connections, however many addresses they use.
 */
export interface Pace {
  /** Milliseconds without progress. */
  restMs(done: Done, now: number): number
  isTooSlow(done: Done, now: number): boolean
}

/** @param idleMs how long the next command may take */
export function createPace(idleMs: number, startedAt: number): Pace {
  let mark = { at: startedAt, bytes: 0, commands: 0, receiving: false }

  function restMs({ waiting, receiving, bytes, commands, held }: Done, now: number): number {
    const least = Math.max(progressBytes, held * progressPart)
    const hasProgress =
      waiting || receiving !== mark.receiving || commands > mark.commands || (receiving && bytes - mark.bytes >= least)
    // A clock may be set back.
    if (hasProgress || now < mark.at) mark = { at: now, bytes, commands, receiving }
    return now - mark.at
  }

  return {
    restMs,
    isTooSlow: (done, now) => restMs(done, now) >= (done.receiving ? withinMs : idleMs),
  }
}

export const isReplaceable = (restMs: number): boolean => restMs >= replaceableMs
