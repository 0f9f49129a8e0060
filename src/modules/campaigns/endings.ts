/**
 * Which campaigns wait for their last mail, and how many endings of mails may still come before it can be the last: so that
 * a campaign of a million mails causes one piece of news and not a million. In memory; a campaign begins at 0 after a
 * start, which asks once too often and does no harm.
 */
export interface Endings {
  /** The campaign had so many mails open, as seen by a unit: endings told by units after this one are counted. */
  expect(campaignId: string, open: number): void
  /** Counts an ending. True when no more than the known number was open, so that it may be the last. Never wrongly false. */
  mayBeLast(campaignId: string): boolean
  forget(campaignId: string): void
  /** Campaigns that wait for their last mail. */
  waiting(): readonly string[]
}

export function endingsWatch(): Endings {
  const left = new Map<string, number>()
  return {
    expect: (campaignId, open) => void left.set(campaignId, open),
    mayBeLast(campaignId) {
      const open = left.get(campaignId)
      if (open === undefined) return false
      left.set(campaignId, open - 1)
      return open <= 1
    },
    forget: (campaignId) => void left.delete(campaignId),
    waiting: () => [...left.keys()],
  }
}
