import { type QueryClient, useQuery } from "@tanstack/react-query"
import { type Backup, type Backups, getBackups, resumeSending, takeBackup } from "../api/backups.ts"
import { useAccountChange } from "./use-change.ts"

const backupsKey = ["backups"]
/** While one is being taken, in ms. */
const pollMs = 1_000
const restMs = 30_000

const isRunning = ({ state }: Backup): boolean => state === "RUNNING"

export const useBackups = () =>
  useQuery({
    queryKey: backupsKey,
    queryFn: getBackups,
    refetchInterval: ({ state: { data } }) => (data?.backups.some(isRunning) ? pollMs : restMs),
  })

export const isTaking = ({ backups }: Pick<Backups, "backups">): boolean => backups.some(isRunning)

const refetch = (client: QueryClient, ...keys: readonly string[]) =>
  Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))

export const useTakeBackup = () =>
  useAccountChange({ send: takeBackup, title: "No backup was begun", done: (client) => refetch(client, "backups") })

export const useResumeSending = () =>
  useAccountChange({
    send: resumeSending,
    title: "Sending was not resumed",
    done: (client) => refetch(client, "backups", "config"),
  })
