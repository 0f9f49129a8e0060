import { second } from "../kernel/clock.ts"

/**
 * A message on its way in has to grow by this much in this time: a modem is thirty times as fast. One that holds much memory
 * has to grow by this part of it.
 */
const progressBytes = 1_024
const progressPart = 1 / 1_024
const withinMs = 30 * second
/** A connection that has made no progress for so long may be ended to make room for another, or for another's message. */
const replaceableMs = 10 * second

/** What a connection has done so far. */
export interface Done {
  /** The client waits for us. */
  readonly waiting: boolean
  readonly receiving: boolean
  /** Bytes that have come, and lines of commands that were complete. */
  readonly bytes: number
  readonly commands: number
  /** Bytes of the message on its way in. */
  readonly held: number
}

/**
 * Whether a connection makes progress: complete commands, and in a message so many bytes. A byte now and then is none, so
 * slow clients cannot keep their connections, however many addresses they come from.
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
