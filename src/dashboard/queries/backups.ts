import { type QueryClient, useQuery } from "@tanstack/react-query"
import { type Backup, type Backups, getBackups, resumeSending, takeBackup } from "../api/backups.ts"
import { presentTime } from "../ui/now.ts"
import { useAccountChange } from "./use-change.ts"

const backupsKey = ["backups"]
/** While one is being taken, in ms. */
const pollMs = 1_000
const restMs = 30_000

/** How long one that was asked for is looked for, in ms: a job begins it. */
const awaitedMs = 15_000

/** The last one that was asked for: when, and the newest backup before it. */
let asked: { readonly at: number; readonly newest: string | undefined } | undefined

const isRunning = ({ state }: Backup): boolean => state === "RUNNING"

const isAwaited = ([newest]: readonly Backup[]): boolean =>
  asked !== undefined && newest?.id === asked.newest && presentTime() - asked.at < awaitedMs

export const useBackups = () =>
  useQuery({
    queryKey: backupsKey,
    queryFn: getBackups,
    refetchInterval: ({ state: { data } }) => (data && isTaking(data) ? pollMs : restMs),
  })

export const isTaking = ({ backups }: Pick<Backups, "backups">): boolean =>
  backups.some(isRunning) || isAwaited(backups)

const refetch = (client: QueryClient, ...keys: readonly string[]) =>
  Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))

export const useTakeBackup = () =>
  useAccountChange({
    send: takeBackup,
    title: "No backup was begun",
    done(client) {
      const known = client.getQueryData<Backups>(backupsKey)
      asked = { at: presentTime(), newest: known?.backups[0]?.id }
      return refetch(client, "backups")
    },
  })

export const useResumeSending = () =>
  useAccountChange({
    send: resumeSending,
    title: "Sending was not resumed",
    done: (client) => refetch(client, "backups", "config"),
  })
