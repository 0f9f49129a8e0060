import { accepted, type Received, type Receiver, refused } from "../../inbound/types.ts"
import type { Projects } from "../projects/index.ts"

interface ReceiverDeps {
  readonly projects: Pick<Projects, "projectOfKey">
  /** The id of the built-in project. */
  readonly builtIn: string
  /** Resolves to undefined when the project takes no mail. */
  readonly intake: (projectId: string, message: Received<string>) => Promise<string | undefined>
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
    const emailId = await intake(message.session ?? builtIn, message)
    return emailId === undefined ? refused(550, "5.7.1", "This project is disabled.") : accepted(emailId)
  },
})
