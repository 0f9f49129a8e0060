import { useState } from "react"
import { ApiError } from "../../api/http.ts"
import { useAccountChange } from "../../queries/use-change.ts"
import { useToken } from "./token.ts"

interface LinkRequest {
  send: (token: string) => Promise<void>
  /** Called when the request failed for another reason than the link. */
  failed: (cause: unknown) => void
}

/** The link of a mail, which works once: what it is for is asked for by `change.run`. */
export function useLink({ send, failed }: LinkRequest) {
  const token = useToken()
  const [state, setState] = useState<"open" | "done" | "invalid">(token ? "open" : "invalid")
  const change = useAccountChange({
    send: () => send(token ?? ""),
    done: () => setState("done"),
    failed(cause) {
      if (cause instanceof ApiError && cause.status === 400) setState("invalid")
      else failed(cause)
    },
  })
  return { state, change }
}
