import { Skeleton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Fragment } from "react"
import { Link } from "wouter"
import { type Field, type FieldUsage, getFieldUsage, listValues } from "../../../api/contacts.ts"
import { useSession } from "../../../context/session.ts"
import { variableOf } from "../../../parts/content/variable-paths.ts"
import { formatValue } from "../../../parts/data/kinds.ts"
import { CopyButton } from "../../../ui/copy.tsx"
import styles from "./fields-page.module.css"

const shownValues = 40

/** The values that contacts have in a field, and what refers to it. */
export function FieldDetails({ field }: { field: Field }) {
  const projectId = useSession().project.id
  const values = useQuery({
    queryKey: ["field-values", projectId, field.field],
    queryFn: () => listValues(projectId, field.field),
  })
  const usage = useQuery({
    queryKey: ["field-usage", projectId, field.field],
    queryFn: () => getFieldUsage(projectId, field.field),
  })
  const path = variableOf(field)
  return (
    <dl className={styles.detail}>
      <dt>In templates</dt>
      <dd>
        {path === null ? (
          <span className={styles.quiet}>{field.isCustom ? "None: a tag cannot hold this name" : "None"}</span>
        ) : (
          <span className={styles.variable}>
            {`{{${path}}}`}
            <CopyButton text={`{{${path}}}`} label="Copy variable" />
          </span>
        )}
      </dd>
      <dt>Values</dt>
      <dd>
        {values.data ? (
          <Values values={values.data.values} />
        ) : values.error ? (
          <span className={styles.quiet}>{values.error.message}</span>
        ) : (
          <Skeleton height={22} width="50%" />
        )}
      </dd>
      {field.isCustom && (
        <>
          <dt>Used by</dt>
          <dd>
            {usage.data ? (
              <Users usage={usage.data} />
            ) : usage.error ? (
              <span className={styles.quiet}>{usage.error.message}</span>
            ) : (
              <Skeleton height={14} width="40%" />
            )}
          </dd>
        </>
      )}
    </dl>
  )
}

function Values({ values }: { values: readonly unknown[] }) {
  if (values.length === 0) return <span className={styles.quiet}>None that could be listed</span>
  return (
    <ul className={styles.values}>
      {values.slice(0, shownValues).map((value) => (
        <li key={`${typeof value}${value}`} dir="auto" className={styles.value} title={String(value)}>
          {formatValue(value)}
        </li>
      ))}
      {values.length > shownValues && <li className={styles.quiet}>and more</li>}
    </ul>
  )
}

function Users({ usage }: { usage: FieldUsage }) {
  const users = usersIn(usage)
  if (users.length === 0) return <span className={styles.quiet}>No segment, campaign or workflow</span>
  return (
    <span className={styles.users}>
      {users.map(({ what, id, name, path }, index) => (
        <Fragment key={what + id}>
          {index > 0 && ", "}
          {what} {path ? <Link href={path}>{name}</Link> : `“${name}”`}
        </Fragment>
      ))}
    </span>
  )
}

/** The users of a field, with the path of their page if they have one. */
function usersIn({ usedInSegments, usedInCampaigns, usedInWorkflows }: FieldUsage) {
  const of = (what: string, uses: FieldUsage["usedInSegments"], page?: string) =>
    uses.map(({ id, name }) => ({ what, id, name, path: page && `${page}/${id}` }))
  return [
    ...of("segment", usedInSegments, "/segments"),
    ...of("campaign", usedInCampaigns, "/campaigns"),
    ...of("workflow", usedInWorkflows),
  ]
}

/** The names of the users of a field, or null if there are none. */
export function formatUsage(usage: FieldUsage): string | null {
  const said = usersIn(usage).map(({ what, name }) => `${what} “${name}”`)
  return said.length > 0 ? said.join(", ") : null
}
