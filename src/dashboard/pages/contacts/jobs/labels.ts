import type { BulkJob, BulkOperation, ImportJob } from "../../../api/contacts.ts"
import { count } from "../../../ui/format.ts"

const doing: Record<BulkOperation, string> = {
  subscribe: "Subscribing",
  unsubscribe: "Unsubscribing",
  delete: "Deleting",
}
const done: Record<BulkOperation, string> = {
  subscribe: "subscribed",
  unsubscribe: "unsubscribed",
  delete: "deleted",
}

/** A bulk job in a few words. */
export function formatBulk({ status, operation, total, succeeded, failed }: BulkJob): { title: string; text: string } {
  if (status === "failed") return { title: `${doing[operation]} failed`, text: `${count(succeeded, "contact")} done` }
  if (status !== "completed") {
    return {
      title: total > 0 ? `${doing[operation]} ${count(total, "contact")}` : `${doing[operation]} contacts`,
      text: total > 0 ? `${(succeeded + failed).toLocaleString("en")} of ${total.toLocaleString("en")}` : "Starting",
    }
  }
  return {
    title: `${count(succeeded, "contact")} ${done[operation]}`,
    text: failed > 0 ? `${count(failed, "contact")} no longer existed` : "",
  }
}

/** An import job in a few words. */
export function formatImport(job: ImportJob, fileName: string): { title: string; text: string } {
  if (job.status === "failed") return { title: `${fileName} was not imported`, text: job.failedReason ?? "" }
  if (job.status !== "completed") {
    const so = job.imported + job.updated + job.skipped
    return {
      title: `Importing ${fileName}`,
      text: job.totalRows > 0 ? `${so.toLocaleString("en")} of ${count(job.totalRows, "row")}` : "Reading the file",
    }
  }
  return { title: `${fileName} imported`, text: importCounts(job) }
}

const importCounts = ({ imported, updated, skipped }: ImportJob): string =>
  [`${imported.toLocaleString("en")} new`, `${updated.toLocaleString("en")} updated`]
    .concat(skipped > 0 ? [`${skipped.toLocaleString("en")} skipped`] : [])
    .join(", ")

const reasons: Readonly<Record<string, string>> = {
  invalid_email: "Not an email address",
  data_too_big: "More than 256 KB of data",
  too_many_fields: "More than 1,000 custom fields in the project",
}

/** Why a row was rejected, in plain words. */
export const formatReason = (reason: string): string => reasons[reason] ?? reason.replaceAll("_", " ")
