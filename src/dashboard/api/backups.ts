import type { backupsSchema } from "../../modules/backups/index.ts"
import { call, read } from "./http.ts"
import type { Wire } from "./types.ts"

/** The backups of the server (contract B8.3.25). */
export type Backups = Wire<typeof backupsSchema>
export type Backup = Backups["backups"][number]

export const getBackups = async (): Promise<Backups> => (await read<{ data: Backups }>("/instance/backups")).data

export const takeBackup = async (): Promise<void> => void (await call("/instance/backups", { method: "POST" }))

/** The address of a file, which the browser downloads. */
export const backupFile = (id: string): string => `/instance/backups/${id}/file`

/** Contract B8.3.26. */
export const resumeSending = async (): Promise<void> =>
  void (await call("/instance/resume-sending", { method: "POST" }))
