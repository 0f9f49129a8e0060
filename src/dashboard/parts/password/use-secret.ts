import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { reasonOf } from "../../api/refusal.ts"
import { useSession } from "../../context/session.ts"
import { projectsQuery } from "../../queries/session.ts"
import { useConfirmPassword } from "./confirm-password.tsx"

/** Shows the secret key of the current project everywhere, once the password is given. */
export function useShowSecret(): () => Promise<string | null> {
  const client = useQueryClient()
  const { project, showSecret } = useSession()
  const confirm = useConfirmPassword()
  return async () => {
    if (project.secret === null) return null
    if (!(await confirm("Whoever has the secret key can send mail as this project and read its contacts."))) return null
    // the key, or the role of the user, may have been changed elsewhere
    const projects = await client.fetchQuery({ ...projectsQuery, staleTime: 0 }).catch((cause) => {
      notifications.show({ color: "red", title: "Not shown", message: reasonOf(cause) })
      return []
    })
    const secret = projects.find(({ id }) => id === project.id)?.secret ?? null
    if (secret === null) return null
    showSecret(true)
    notifications.show({ message: "The key is shown for ten minutes", autoClose: 2500 })
    return secret
  }
}
