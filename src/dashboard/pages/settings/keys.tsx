import { ActionIcon, Button, Tooltip } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { IconEye, IconEyeOff, IconRefresh } from "@tabler/icons-react"
import { rotateKeys } from "../../api/projects.ts"
import { mayManage, useSession } from "../../context/session.ts"
import { useConfirmPassword } from "../../parts/password/confirm-password.tsx"
import { useShowSecret } from "../../parts/password/use-secret.ts"
import { SendGuide } from "../../parts/send-guide/send-guide.tsx"
import { cacheProject } from "../../queries/projects.ts"
import { useProjectsReread } from "../../queries/session.ts"
import { useChange } from "../../queries/use-change.ts"
import { confirm } from "../../ui/confirm.tsx"
import { CopyButton } from "../../ui/copy.tsx"
import { Section, SectionNote, Sections } from "../../ui/section.tsx"
import styles from "./keys.module.css"

/** The keys of the project, with their use. The secret key is shown to users with the permission. */
export default function Keys() {
  const { project } = useSession()
  useProjectsReread()
  const manages = mayManage(project)
  return (
    <Sections>
      <Section
        title="Public key"
        text="For web pages and apps. It can only track events, so it may be seen by anyone. Whether that may resubscribe people is set under General."
      >
        <div className={styles.key}>
          <code className={styles.value}>{project.public}</code>
          <CopyButton text={project.public} label="Copy public key" />
        </div>
      </Section>
      <Section
        title="Secret key"
        text="For your servers. It sends mail and reads contacts: keep it out of pages and code."
      >
        {manages ? (
          <SecretKey />
        ) : (
          <SectionNote>The secret key is shown to the owner and the admins of this project.</SectionNote>
        )}
      </Section>
      {manages && (
        <Section title="Use it" text="With the key filled in while it is shown above.">
          <SendGuide />
        </Section>
      )}
      {manages && !project.disabled && <Rotation />}
    </Sections>
  )
}

function SecretKey() {
  const { config, project, showSecret } = useSession()
  const show = useShowSecret()
  const { shownSecret } = project
  if (shownSecret === null)
    return (
      <div className={styles.key}>
        <code className={styles.value} data-hidden>
          sk_{"•".repeat(24)}
        </code>
        <Button variant="default" size="compact-sm" leftSection={<IconEye size={15} />} onClick={() => void show()}>
          Show
        </Button>
      </div>
    )
  return (
    <div className={styles.key}>
      <code className={styles.value}>{shownSecret}</code>
      {!config.sandbox && (
        <Tooltip label="Hide">
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Hide" onClick={() => showSecret(false)}>
            <IconEyeOff size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      <CopyButton text={shownSecret} label="Copy secret key" />
    </div>
  )
}

function Rotation() {
  const { showSecret } = useSession()
  const confirmPassword = useConfirmPassword()
  const rotation = useChange({
    send: rotateKeys,
    title: "Not rotated",
    done(client, _projectId, project) {
      cacheProject(client, project)
      showSecret(true)
      notifications.show({ title: "New keys", message: "The old ones do not work any more.", autoClose: 4000 })
    },
  })
  const ask = async () => {
    if (!(await confirmPassword("New keys lock out every program that has the old ones."))) return
    confirm({
      title: "Make new keys?",
      text: (
        <>
          Both keys are replaced. Until your programs have the new ones:
          <ul className={styles.consequences}>
            <li>requests and SMTP logins with the old secret key are refused,</li>
            <li>events that web pages track with the old public key are lost.</li>
          </ul>
          Links, unsubscribe pages and tracking of mail that has left go on working.
        </>
      ),
      confirm: "Make new keys",
      onConfirm: () => void rotation.run(),
    })
  }
  return (
    <Section
      danger
      title="New keys"
      text="For when a key has got into the wrong hands, or somebody who knew it leaves. The old keys stop working at once."
    >
      <Button
        variant="default"
        loading={rotation.isRunning}
        leftSection={<IconRefresh size={16} stroke={1.7} />}
        onClick={() => void ask()}
      >
        Make new keys
      </Button>
    </Section>
  )
}
