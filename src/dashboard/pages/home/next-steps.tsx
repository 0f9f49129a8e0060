import { Button } from "@mantine/core"
import { IconCheck, IconEye } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { useLocation } from "wouter"
import { listEmails } from "../../api/emails.ts"
import { useRegistry } from "../../context/commands.tsx"
import { mayManage, useSession } from "../../context/session.ts"
import { useShowSecret } from "../../parts/password/use-secret.ts"
import { SendGuide } from "../../parts/send-guide/send-guide.tsx"
import { useSetupState } from "../../queries/projects.ts"
import styles from "./next-steps.module.css"

interface Step {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly action: ReactNode
}

/** The steps from an empty project to one that sends; hidden once all are done. */
export function NextSteps() {
  const steps = useSteps()
  const [opened, open] = useState<string | null>(null)
  if (!steps) return null
  const next = steps.find(({ isDone }) => !isDone)
  if (!next) return null
  const done = steps.filter(({ isDone }) => isDone).length
  const current = opened ?? next.id
  return (
    <section className={styles.steps} aria-label="What to do next">
      <header className={styles.head}>
        <h2 className={styles.title}>{done === 0 ? "Welcome. Four steps to the first campaign" : "What to do next"}</h2>
        <span className={styles.count}>
          {done} of {steps.length} done
        </span>
      </header>
      <ol className={styles.list}>
        {steps.map((step, at) => (
          <li key={step.id} className={styles.step} data-done={step.isDone || undefined}>
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={current === step.id}
              onClick={() => open(current === step.id ? "" : step.id)}
            >
              <span className={styles.mark}>
                {step.isDone ? <IconCheck size={14} stroke={2.4} aria-label="Done" /> : at + 1}
              </span>
              {step.title}
            </button>
            {current === step.id && (
              <div className={styles.body}>
                <p className={styles.text}>{step.text}</p>
                {step.action}
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Undefined until it is known which are done. */
function useSteps(): readonly Step[] | undefined {
  const { project } = useSession()
  const { data: state } = useSetupState()
  const { data: hasSent } = useQuery({
    queryKey: ["has-mail", project.id],
    queryFn: async ({ signal }) => (await listEmails(project.id, { limit: 1 }, signal)).data.length > 0,
    refetchInterval: ({ state }) => (state.data === true ? false : 5_000),
  })
  const run = useCommand()
  const [, go] = useLocation()
  if (!state || hasSent === undefined) return undefined
  return [
    {
      id: "domain",
      title: "Add your domain",
      text: "Mailbox providers take mail from a domain that says in its DNS that this server may send for it.",
      isDone: state.hasVerifiedDomain,
      action: mayManage(project) ? (
        <Button onClick={() => go("/domains")}>Add a domain</Button>
      ) : (
        <p className={styles.text}>The owner and the admins of this project can add a domain.</p>
      ),
    },
    {
      id: "send",
      title: "Send the first mail",
      text: "From your program or a terminal, with the key of this project. It shows up in the inbox a moment later.",
      isDone: hasSent,
      action: <FirstMail />,
    },
    {
      id: "contacts",
      title: "Bring your contacts",
      text: "Import a CSV file, or let contacts come by themselves: whoever you send to or track becomes one.",
      isDone: state.contactCount > 0,
      action: (
        <div className={styles.actions}>
          <Button onClick={() => run("import")}>Import contacts</Button>
          <Button variant="default" onClick={() => go("/contacts")}>
            Look at the list
          </Button>
        </div>
      ),
    },
    {
      id: "campaign",
      title: "Send a campaign",
      text: "One mail to everybody, or to a segment. You see who gets it before it leaves.",
      isDone: state.lastCampaignSentAt !== null,
      action: <Button onClick={() => run("new-campaign")}>New campaign</Button>,
    },
  ]
}

/** Runs a command that another page registers globally. */
function useCommand(): (id: string) => void {
  const registry = useRegistry()
  return (id) =>
    registry
      .all()
      .find((command) => command.id === id)
      ?.run()
}

function FirstMail() {
  const { project } = useSession()
  const show = useShowSecret()
  return (
    <>
      <SendGuide />
      {project.shownSecret === null &&
        (mayManage(project) ? (
          <div className={styles.actions}>
            <Button variant="default" leftSection={<IconEye size={16} stroke={1.7} />} onClick={() => void show()}>
              Fill in the secret key
            </Button>
          </div>
        ) : (
          <p className={styles.text}>The owner and the admins of this project can give you its secret key.</p>
        ))}
    </>
  )
}
