import { Button } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { IconDownload } from "@tabler/icons-react"
import { type Backups as All, type Backup, backupFile } from "../../api/backups.ts"
import { reasonOf } from "../../api/refusal.ts"
import { RowMenu } from "../../list/row-menu.tsx"
import { useConfirmPassword } from "../../parts/password/confirm-password.tsx"
import { isTaking, useBackups, useTakeBackup } from "../../queries/backups.ts"
import { ActionsHeader } from "../../ui/actions-header.tsx"
import { Notice } from "../../ui/empty-state.tsx"
import form from "../../ui/form.module.css"
import { byteSize, dayAndTime, dayTime } from "../../ui/format.ts"
import { MenuEntry } from "../../ui/menu-entry.tsx"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import { Section, SectionNote, Sections } from "../../ui/section.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"

/** When backups are taken, those that were, and a button for another one. */
export default function Backups() {
  const { data, isError, error, refetch } = useBackups()
  const take = useTakeBackup()
  if (!data)
    return isError ? <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} /> : null
  return (
    <Sections>
      <Section title="Schedule" text={<Schedule {...data} />}>
        <div className={form.actions} data-start>
          <Button loading={take.isRunning || isTaking(data)} onClick={() => void take.run()}>
            Back up now
          </Button>
        </div>
      </Section>
      <Section title="Backups" text="Each was read back before it got its name. Restore one with mailstead restore.">
        {data.backups.length === 0 ? <SectionNote>None yet.</SectionNote> : <List backups={data.backups} />}
      </Section>
    </Sections>
  )
}

function Schedule({ schedule, nextAt, folder, keep, encrypted }: All) {
  const now = useNow()
  return (
    <>
      {nextAt === null ? (
        <>
          None is taken by itself: set <code>backup.schedule</code>.
        </>
      ) : (
        <>
          The next one is taken <When at={nextAt} format={dayAndTime} now={now} /> ({schedule}, UTC).
        </>
      )}{" "}
      The newest {keep} are kept in <code>{folder}</code>,{" "}
      {encrypted ? "encrypted." : "not encrypted: that takes backup.passphrase."}
    </>
  )
}

function List({ backups }: Pick<All, "backups">) {
  const now = useNow()
  return (
    <ScrollRegion label="Backups" className={table.scroll}>
      <table className={`${table.table} ${table.inSection}`} aria-label="Backups">
        <thead>
          <tr>
            <th scope="col">Taken</th>
            <th scope="col">Result</th>
            <th scope="col" className={table.number}>
              Size
            </th>
            <th scope="col" className={table.number}>
              Time
            </th>
            <ActionsHeader />
          </tr>
        </thead>
        <tbody>
          {backups.map((backup) => (
            <tr key={backup.id}>
              <th scope="row">
                <When at={backup.startedAt} format={dayTime} now={now} />
              </th>
              <td className={table.text}>{resultOf(backup)}</td>
              <td className={table.number}>{backup.bytes === null ? "" : byteSize(backup.bytes)}</td>
              <td className={table.number}>{durationOf(backup)}</td>
              <td>
                <Actions backup={backup} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function resultOf({ state, reason, encrypted, hasSecret, available }: Backup): string {
  if (state === "RUNNING") return "Being taken"
  if (state === "FAILED") return `Failed: ${reason ?? "no reason"}`
  if (!available) return "Its file is gone"
  const what = `Verified${encrypted ? ", encrypted" : ""}${hasSecret ? ", with the secret" : ""}`
  return reason === null ? what : `${what}. ${reason}`
}

const durationOf = ({ startedAt, endedAt }: Backup): string =>
  endedAt === null ? "" : `${((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`

function Actions({ backup: { id, name, available } }: { backup: Backup }) {
  const confirmPassword = useConfirmPassword()
  const { refetch } = useBackups()
  const download = async () => {
    if (!(await confirmPassword("A backup holds all data of this server."))) return
    // a refusal would take the place of this page
    const { data, error } = await refetch()
    const isThere = data?.backups.some((one) => one.id === id && one.available)
    if (isThere && !error) location.assign(backupFile(id))
    else {
      const message = error ? reasonOf(error) : "Its file is gone."
      notifications.show({ color: "red", title: "Not downloaded", message })
    }
  }
  return (
    available && (
      <RowMenu of={name} width={160}>
        <MenuEntry icon={IconDownload} run={() => void download()}>
          Download
        </MenuEntry>
      </RowMenu>
    )
  )
}
