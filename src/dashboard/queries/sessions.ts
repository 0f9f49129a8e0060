import { type QueryClient, useQuery } from "@tanstack/react-query"
import { listSessions } from "../api/auth.ts"

const key = ["user-sessions"]

/** The sessions of the user, the latest first. */
export const useUserSessions = () => useQuery({ queryKey: key, queryFn: listSessions })

export const refetchSessions = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key })
