import { useQuery } from "@tanstack/react-query"
import { Redirect } from "wouter"
import { getEmail } from "../../api/emails.ts"
import { addressOf, useSession } from "../../context/session.ts"
import styles from "./message-view.module.css"

const projectsAsked = 20

/**
 * A link names a mail but no project: finds the mail in the other projects and switches, or shows that it does not
 * exist.
 */
export function OtherProject({ id }: { id: string }) {
  const { project, projects } = useSession()
  const others = projects.filter((other) => other.id !== project.id).slice(0, projectsAsked)
  const { data: home, isPending } = useQuery({
    queryKey: ["home", id, project.id],
    queryFn: async () => {
      for (const other of others) {
        const email = await getEmail(other.id, id).catch(() => null)
        if (email) return other.id
      }
      return null
    },
    gcTime: 0,
  })
  if (isPending) return null
  if (home) return <Redirect to={`${addressOf(home)}/inbox/${id}`} replace />
  return (
    <div className={styles.missing} role="alert">
      <h1>This message is not here</h1>
      <p>It was deleted, or it never was in a project of yours.</p>
    </div>
  )
}
