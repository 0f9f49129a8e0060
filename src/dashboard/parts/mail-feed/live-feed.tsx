import { createContext, type ReactNode, useContext } from "react"
import { type LiveFeed, useFollowedFeed } from "./feed.ts"

const FeedContext = createContext<LiveFeed | null>(null)

/** Follows the project's mail on every page, so that the count of unread mail is always current. */
export function LiveFeedProvider({ children }: { children: ReactNode }) {
  return <FeedContext value={useFollowedFeed()}>{children}</FeedContext>
}

export function useLiveFeed(): LiveFeed {
  const feed = useContext(FeedContext)
  if (!feed) throw new Error("useLiveFeed outside of LiveFeedProvider")
  return feed
}
