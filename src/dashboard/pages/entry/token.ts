import { useEffect, useState } from "react"

/**
 * The token of the link. It is removed from the URL, so that screenshots and bookmarks do not contain it; the history
 * entry keeps it for a reload.
 */
export function useToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.search).get("token") ?? keptToken(history.state))
  useEffect(() => {
    if (location.search !== "") history.replaceState({ token }, "", location.pathname)
  }, [token])
  return token
}

const keptToken = (state: unknown): string | null =>
  typeof state === "object" && state !== null && "token" in state && typeof state.token === "string"
    ? state.token
    : null
