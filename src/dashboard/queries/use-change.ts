import { notifications } from "@mantine/notifications"
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import { reasonOf } from "../api/refusal.ts"
import { useSession } from "../context/session.ts"

interface ChangeOptions<Output, Input> {
  /** The request. */
  send(projectId: string, input: Input): Promise<Output>
  /** Brings the caches up to date with what the server did. */
  done?(client: QueryClient, projectId: string, output: Output, input: Input): unknown
  /** Called instead when it was refused. */
  failed?(cause: unknown, client: QueryClient, projectId: string, input: Input): unknown
  /** The title of the notification that tells of a refusal; without one, the caller says it. */
  title?: string
  /** What that notification says of the cause. */
  format?(cause: unknown): string
}

interface Started<Output, Input> extends ChangeOptions<Output, Input> {
  readonly projectId: string
  readonly input: Input
}

export interface Change<Output, Input = void> {
  /** Resolves to undefined when it was refused: `failed` or a notification has told of it. */
  run(input: Input): Promise<Output | undefined>
  readonly isRunning: boolean
}

/** A change of the project's data: one request, what follows from it in the caches, and how a refusal is told. */
export const useChange = <Output, Input = void>(options: ChangeOptions<Output, Input>): Change<Output, Input> =>
  useChangeIn(useSession().project.id, options)

/** The same where there may be no project: what `send` is given for one is of no meaning. */
export const useAccountChange = <Output, Input = void>(options: ChangeOptions<Output, Input>): Change<Output, Input> =>
  useChangeIn("", options)

function useChangeIn<Output, Input>(projectId: string, options: ChangeOptions<Output, Input>): Change<Output, Input> {
  const client = useQueryClient()
  // callbacks are those of the render that started the change, not of a later one
  const mutation = useMutation({
    mutationFn: ({ send, projectId, input }: Started<Output, Input>) => send(projectId, input),
    onSuccess: (output, { done, projectId, input }) => done?.(client, projectId, output, input),
    onError: (cause, { failed, title, format = reasonOf, projectId, input }) => {
      if (title !== undefined) notifications.show({ color: "red", title, message: format(cause) })
      return failed?.(cause, client, projectId, input)
    },
  })
  return {
    run: (input) => mutation.mutateAsync({ ...options, projectId, input }).catch(() => undefined),
    isRunning: mutation.isPending,
  }
}
