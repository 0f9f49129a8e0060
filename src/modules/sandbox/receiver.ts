import { accepted, type Received, type Receiver, refused } from "../../inbound/types.ts"
import type { Projects } from "../projects/index.ts"

interface ReceiverDeps {
  readonly projects: Pick<Projects, "projectOfKey" | "find">
  /** The id of the built-in project. */
  readonly builtIn: string
  readonly intake: (projectId: string, message: Received<string>) => Promise<string>
}

/**
 * Takes the mail of the sandbox's SMTP listener: without login it goes to the built-in project, with a secret key as
 * password to the project of the key, whatever the user name (contract A8.3.4). The key of a disabled project is still its
 * key: what is refused is the mail (contract B9.4.5).
 */
export const createReceiver = ({ projects, builtIn, intake }: ReceiverDeps): Receiver<string> => ({
  async authenticate(_user, password) {
    return (await projects.projectOfKey("secret", password))?.id
  },
  async receive(message) {
    const project = await projects.find(message.session ?? builtIn)
    if (project === undefined || project.disabled) return refused(550, "5.7.1", "This project is disabled.")
    return accepted(await intake(project.id, message))
  },
})
