import { accepted, type Received, type Receiver } from "../../inbound/types.ts"
import type { Projects } from "../projects/index.ts"

/**
 * What stands behind the sandbox's SMTP listener: no login means the built-in project, a secret key as password means
 * the project of the key, whatever the user name (contract A8.3.4).
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
  receive: async (message) => accepted(await intake(message.session ?? builtIn, message)),
})
