import { accepted, type Received, type Receiver, refused } from "../../inbound/types.ts"
import type { Projects } from "../projects/index.ts"

/**
 * What stands behind the sandbox's SMTP listener: no login means the built-in project, a secret key as password means
 * the project of the key, whatever the user name (contract A8.3.4). A project may be disabled while a client is logged in.
 */
export const sandboxReceiver = (
  projects: Projects,
  builtIn: string,
  intake: (projectId: string, message: Received<string>) => Promise<string>,
): Receiver<string> => ({
  async authenticate(_user, password) {
    const project = await projects.projectOfKey("secret", password)
    return project && !project.disabled ? project.id : undefined
  },
  async receive(message) {
    const project = await projects.find(message.session ?? builtIn)
    if (project === undefined || project.disabled) return refused(550, "5.7.1", "This project is disabled.")
    return accepted(await intake(project.id, message))
  },
})
