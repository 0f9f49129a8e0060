import { notifications } from "@mantine/notifications"
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { ApiError } from "../api/http.ts"
import { reasonOf } from "../api/refusal.ts"
import { useSession } from "../context/session.ts"

interface ChangeOptions<Output, Input> {
  /** The request. */
  send(projectId: string, input: Input): Promise<Output>
  /** Updates the caches after the change. `isThere` is false once the user has left the page or closed the dialog. */
  done?(client: QueryClient, projectId: string, output: Output, input: Input, isThere: boolean): unknown
  /** Called instead when it was refused. */
  failed?(cause: unknown, client: QueryClient, projectId: string, input: Input): unknown
  /** The title of the notification of a refusal; without one, the caller shows it for as long as it is there. */
  title?: string
  /** The text of that notification. */
  format?(cause: unknown): string
}

interface Started<Output, Input> extends ChangeOptions<Output, Input> {
  readonly projectId: string
  readonly input: Input
}

export interface Change<Output, Input = void> {
  /** Resolves to undefined when it was refused, which `failed` or a notification has shown. */
  run(input: Input): Promise<Output | undefined>
  readonly isRunning: boolean
}

/**
 * A change of the project's data: one request, the update of the caches, and the display of a refusal. Without an
 * answer, everything is read again: it may have been done.
 */
export const useChange = <Output, Input = void>(options: ChangeOptions<Output, Input>): Change<Output, Input> =>
  useChangeIn(useSession().project.id, options)

/** The same where there may be no project; `send` must ignore its project id. */
export const useAccountChange = <Output, Input = void>(options: ChangeOptions<Output, Input>): Change<Output, Input> =>
  useChangeIn("", options)

function useChangeIn<Output, Input>(projectId: string, options: ChangeOptions<Output, Input>): Change<Output, Input> {
  const client = useQueryClient()
  const isThere = useRef(false)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  // callbacks are those of the render that started the change, not of a later one
  const mutation = useMutation({
    mutationFn: ({ send, projectId, input }: Started<Output, Input>) => send(projectId, input).catch(withDoubt),
    onSuccess: (output, { done, projectId, input }) => done?.(client, projectId, output, input, isThere.current),
    onError: (cause, { failed, title, format = reasonOf, projectId, input }) => {
      const isInDoubt = isUnanswered(cause)
      if (title !== undefined || !isThere.current)
        notifications.show({
          color: "red",
          title: isInDoubt ? "No answer" : (title ?? "Not done"),
          message: format(cause),
        })
      if (isInDoubt) void client.invalidateQueries()
      return failed?.(cause, client, projectId, input)
    },
  })
  return {
    run: (input) => mutation.mutateAsync({ ...options, projectId, input }).catch(() => undefined),
    isRunning: mutation.isPending,
  }
}

/** Whether nothing tells if the request was carried out; a proxy answers 502 or 504 in place of the server. */
const isUnanswered = (cause: unknown): boolean => cause instanceof ApiError && [0, 502, 504].includes(cause.status)

function withDoubt(cause: unknown): never {
  if (!(cause instanceof ApiError && isUnanswered(cause))) throw cause
  throw new ApiError(cause.status, `${cause.message} It may have done this all the same.`)
}
