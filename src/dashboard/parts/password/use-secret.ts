import { notifications } from "@mantine/notifications"
import { useSession } from "../../context/session.ts"
import { useConfirmPassword } from "./confirm-password.tsx"

/** Shows the secret key of the current project everywhere, once the password is given. */
export function useShowSecret(): () => Promise<string | null> {
  const { project, showSecret } = useSession()
  const confirm = useConfirmPassword()
  return async () => {
    if (project.secret === null) return null
    if (!(await confirm("Whoever has the secret key can send mail as this project and read its contacts."))) return null
    showSecret(project.secret)
    notifications.show({ message: "The key is shown for ten minutes", autoClose: 2500 })
    return project.secret
  }
}
