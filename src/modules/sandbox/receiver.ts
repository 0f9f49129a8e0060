import { type Accepted, accepted, type Received, type Receiver, type Refused, refused } from "../../inbound/types.ts"
import type { Incoming } from "../incoming/index.ts"
import type { Projects } from "../projects/index.ts"

interface ReceiverDeps {
  readonly projects: Pick<Projects, "projectOfKey">
  /** The id of the built-in project. */
  readonly builtIn: string
  /** Resolves to undefined when the project takes no mail. */
  readonly intake: (projectId: string, message: Received<string>) => Promise<string | undefined>
  readonly incoming: Pick<Incoming, "isIncoming" | "receiver">
}

const disabled = refused(550, "5.7.1", "This project is disabled.")

/**
 * Takes the mail of the sandbox's SMTP listener: without login it goes to the built-in project, with a secret key as
 * password to the project of the key, whatever the user name (contract A8.3.4). The key of a disabled project is still its
 * key: what is refused is the mail (contract B9.4.5). Without login, mail to a registered domain comes in (contract B9.6.2).
 */
export function createReceiver({ projects, builtIn, intake, incoming }: ReceiverDeps): Receiver<string> {
  const ofKey = (key: string) => projects.projectOfKey("secret", key)

  async function submit(projectId: string, message: Received<string>): Promise<Accepted | Refused> {
    const emailId = await intake(projectId, message)
    return emailId === undefined ? disabled : accepted(emailId)
  }

  /** Each recipient by itself: mail that comes in is the last to be stored, because a repetition of it does no harm. */
  async function receiveFromAnybody(message: Received<string>): Promise<Accepted | Refused> {
    const comesIn = await Promise.all(message.recipients.map(incoming.isIncoming))
    const recipients = message.recipients.filter((_, at) => comesIn[at])
    if (recipients.length === 0) return submit(builtIn, message)
    const outgoing = message.recipients.filter((_, at) => !comesIn[at])
    const reply = outgoing.length > 0 ? await submit(builtIn, { ...message, recipients: outgoing }) : undefined
    if (reply?.outcome === "refused") return reply
    const received = await incoming.receiver.receive({ ...message, recipients })
    return received.outcome === "refused" ? received : (reply ?? received)
  }

  return {
    authenticate: async (_user, password) => ((await ofKey(password)) ? password : undefined),
    async receive(message) {
      if (message.session === undefined) return receiveFromAnybody(message)
      const project = await ofKey(message.session)
      return project ? submit(project.id, message) : refused(550, "5.7.1", "This key is no longer valid.")
    },
  }
}
