import { textFromHtml } from "../mail/html-text.ts"
import type { ParsedMessage } from "./parse.ts"

/** The text of a message for lists and searches. */
export interface MessageText {
  /** On one line. */
  readonly text: string
  readonly attachments: number
}

/** The number of characters of HTML that are read, and of text that are kept. */
const longestHtml = 200_000
const longestText = 20_000

/**
 * White space other than a single space, which is common and need not be replaced: replacing each would take most of
 * the time.
 */
const gap = / \s+|[^\S ]\s*/g

const oneLine = (text: string): string => text.slice(0, longestText).replace(gap, " ").trim()

export const lineFromHtml = (html: string): string => oneLine(textFromHtml(html.slice(0, longestHtml)))

export const textOf = ({ text, html, attachments }: ParsedMessage): MessageText => ({
  text: text === null ? lineFromHtml(html ?? "") : oneLine(text),
  attachments: attachments.length,
})

/** One after another; never rejects, as `parseMessage`. */
export async function readMessageTexts(raws: readonly Uint8Array[]): Promise<MessageText[]> {
  // Loaded with the first message, see `parse-thread.ts`.
  const { parseMessage } = await import("./parse.ts")
  const texts: MessageText[] = []
  for (const raw of raws) texts.push(textOf(await parseMessage(raw)))
  return texts
}
