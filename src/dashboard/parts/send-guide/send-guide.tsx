import { Button, Tabs } from "@mantine/core"
import { IconSparkles } from "@tabler/icons-react"
import { useLocation } from "wouter"
import { sendMail } from "../../api/emails.ts"
import type { Config } from "../../api/instance.ts"
import { type ProjectInView, useSession } from "../../context/session.ts"
import { useVerifiedDomain } from "../../queries/domains.ts"
import { useProjectsReread } from "../../queries/session.ts"
import { useChange } from "../../queries/use-change.ts"
import { modals } from "../../ui/modals.ts"
import { Settings, Snippet } from "../../ui/snippet.tsx"
import { curlCommand, keyOf, nodeProgram, sampleMessage, smtpAddress, swaksCommand } from "./send-examples.ts"
import styles from "./send-guide.module.css"

/** How to send a mail here, with this project's own keys: by API and, if there is a listener, by SMTP. */
export function SendGuide() {
  // in a dialog too, which would keep showing a secret key that must be hidden again
  const { config, project } = useSession()
  useProjectsReread()
  const smtp = smtpAddress(config, location.hostname)
  const domain = useVerifiedDomain(project.id, !config.sandbox)
  const from = `hello@${domain ?? "shop.test"}`
  return (
    <Tabs
      defaultValue="curl"
      variant="pills"
      classNames={{ tab: styles.tab ?? "", list: styles.list ?? "", panel: styles.panel ?? "" }}
    >
      {smtp && (
        <Tabs.List aria-label="Ways to send">
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="smtp">SMTP</Tabs.Tab>
          <Tabs.Tab value="node">Nodemailer</Tabs.Tab>
          <Tabs.Tab value="swaks">swaks</Tabs.Tab>
        </Tabs.List>
      )}
      <Tabs.Panel value="curl">
        <Snippet label="curl command" code={curlCommand(config, project, from)} />
      </Tabs.Panel>
      {smtp && (
        <>
          <Tabs.Panel value="smtp">
            <Settings
              label="SMTP settings"
              rows={[
                { name: "Host", value: smtp.host },
                { name: "Port", value: String(smtp.port) },
                { name: "User name", value: "mailstead", note: "any name will do" },
                {
                  name: "Password",
                  value: keyOf(project),
                  note: config.sandbox ? "or no login at all" : "the secret key",
                },
              ]}
            />
          </Tabs.Panel>
          <Tabs.Panel value="node">
            <Snippet label="Nodemailer program" code={nodeProgram(smtp, from)} />
          </Tabs.Panel>
          <Tabs.Panel value="swaks">
            <Snippet label="swaks command" code={swaksCommand(smtp, from)} />
          </Tabs.Panel>
        </>
      )}
      {!config.sandbox && domain === undefined && (
        <p className={styles.note}>
          In place of shop.test, send from a verified domain of this project: add yours first.
        </p>
      )}
    </Tabs>
  )
}

/** Sends a sample through the API and opens it. */
export function SampleButton({ config, project }: { config: Config; project: ProjectInView }) {
  const { secret } = project
  const [, go] = useLocation()
  const sending = useChange({
    send: (_projectId, key: string) => sendMail(key, sampleMessage),
    done: (_client, _projectId, { emails: [sent] }) => sent && go(`/inbox/${sent.email}`),
    title: "Not sent",
  })
  if (!config.sandbox || secret === null) return null
  return (
    <Button
      loading={sending.isRunning}
      leftSection={<IconSparkles size={16} stroke={1.7} />}
      onClick={() => void sending.run(secret)}
    >
      Send a sample
    </Button>
  )
}

export function openSendGuide(): void {
  modals.open({
    title: "How to send",
    size: 620,
    children: <SendGuide />,
  })
}
