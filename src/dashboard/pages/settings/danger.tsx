import { Button, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { deleteProject, resetProject } from "../../api/projects.ts"
import { useGoElsewhere, useSession } from "../../context/session.ts"
import { useConfirmPassword } from "../../parts/password/confirm-password.tsx"
import { dropProject } from "../../queries/projects.ts"
import { useChange } from "../../queries/use-change.ts"
import { DialogActions } from "../../ui/dialog-actions.tsx"
import form from "../../ui/form.module.css"
import { modals } from "../../ui/modals.ts"
import { Section, SectionNote, Sections } from "../../ui/section.tsx"

/** Actions that delete all data of the project, or the project itself. */
export default function Danger() {
  const { project } = useSession()
  const goElsewhere = useGoElsewhere()
  const confirmPassword = useConfirmPassword()
  const reset = useChange({
    send: resetProject,
    title: "Not reset",
    async done(client) {
      await client.resetQueries({ predicate: ({ queryKey }) => !sessionKeys.includes(String(queryKey[0])) })
      notifications.show({ message: `${project.name} is empty`, autoClose: 4000 })
    },
  })
  const deletion = useChange({
    send: deleteProject,
    title: "Not deleted",
    done(client, projectId) {
      // first, or the address without a project would lead back to this one
      dropProject(client, projectId)
      goElsewhere()
      notifications.show({ message: `${project.name} is deleted`, autoClose: 4000 })
    },
  })
  if (project.disabled)
    return (
      <Sections>
        <Section title="Reset and delete">
          <SectionNote>Not while the project is disabled. The owner of this server can enable it.</SectionNote>
        </Section>
      </Sections>
    )
  const ask = async (question: Omit<QuestionProps, "name">) => {
    if (!(await confirmPassword("This cannot be undone."))) return
    modals.open({
      title: question.button,
      size: 420,
      children: <TypeTheName {...question} name={project.name} />,
    })
  }
  return (
    <Sections>
      <Section danger title="Reset" text="Begin again with an empty project, for example after trying things out.">
        <SectionNote>
          Contacts, mail, events, segments, campaigns, templates, workflows, imports and uploaded images are deleted,
          also for mail that has left. Keys, domains, members and settings stay, so your programs go on working.
        </SectionNote>
        <div className={form.actions} data-start style={{ marginTop: 14 }}>
          <Button
            variant="default"
            loading={reset.isRunning}
            onClick={() =>
              void ask({
                text: "All contacts, mail, events, segments, campaigns, templates, workflows and uploaded images are deleted, now and for good.",
                button: "Reset the project",
                run: () => void reset.run(),
              })
            }
          >
            Reset the project
          </Button>
        </div>
      </Section>
      <Section danger title="Delete" text="The project with all that it has.">
        <SectionNote>
          Its keys stop working, members lose it, and links in mail that has left lead nowhere: people can no longer
          unsubscribe with them.
        </SectionNote>
        <div className={form.actions} data-start style={{ marginTop: 14 }}>
          <Button
            color="red"
            loading={deletion.isRunning}
            onClick={() =>
              void ask({
                text: "The project is deleted with everything in it, now and for good.",
                button: "Delete the project",
                run: () => void deletion.run(),
              })
            }
          >
            Delete the project
          </Button>
        </div>
      </Section>
    </Sections>
  )
}

/** First parts of the keys of queries that do not concern the content of a project. */
const sessionKeys = ["config", "user", "projects", "session-end"]

interface QuestionProps {
  name: string
  text: string
  button: string
  run(): void
}

/** A name as a page shows it, with one space for several; a letter with an accent is one character or two. */
const asShown = (name: string): string => name.normalize().replace(/\s+/g, " ").trim()

/** Asks for the name of the project, so that the action is not applied to another one by mistake. */
function TypeTheName({ name, text, button, run }: QuestionProps) {
  const [typed, setTyped] = useState("")
  const isRight = asShown(typed) === asShown(name)
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isRight) return
        modals.closeAll()
        run()
      }}
    >
      <SectionNote>{text}</SectionNote>
      <TextInput
        label={`Type ${name} to go on`}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <DialogActions cancel="Keep" destructive disabled={!isRight}>
        {button}
      </DialogActions>
    </form>
  )
}
