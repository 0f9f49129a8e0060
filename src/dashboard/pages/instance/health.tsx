import { Button } from "@mantine/core"
import type { DoctorCheck, InstanceAlert } from "../../api/instance.ts"
import { useDoctor, useInstanceAlerts } from "../../queries/instance.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { age } from "../../ui/format.ts"
import { Section, SectionNote, Sections } from "../../ui/section.tsx"
import { StatusMark, type Tone } from "../../ui/status.tsx"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./health.module.css"

/** The current alerts, and the report on the server's health. */
export default function Health() {
  const alerts = useInstanceAlerts()
  return (
    <Sections>
      <Section title="Alerts" text="What keeps the server from working. You are told when one begins and when it ends.">
        {alerts.isError && !alerts.data ? (
          <Notice failed text={alerts.error.message} action="Try again" onAction={() => void alerts.refetch()} />
        ) : (
          alerts.data && <Alerts alerts={alerts.data} />
        )}
      </Section>
      <Doctor />
    </Sections>
  )
}

function Alerts({ alerts }: { alerts: readonly InstanceAlert[] }) {
  const now = useNow()
  if (alerts.length === 0) return <SectionNote>There is none.</SectionNote>
  return (
    <ul className={styles.findings} aria-label="Alerts">
      {alerts.map(({ key, sentence, since }) => (
        <li key={key}>
          <StatusMark tone="bad">
            <When at={since} format={age} now={now} />
          </StatusMark>
          <span>{sentence}</span>
        </li>
      ))}
    </ul>
  )
}

/** The same report as `mailstead doctor` prints. */
function Doctor() {
  const { data, isError, error, isFetching, refetch } = useDoctor()
  return (
    <Section title="Doctor" text="Looks at the machine, the network, the transports and the domains. It sends nothing.">
      {isError && <Notice failed text={error.message} />}
      {data && <Checks checks={data} />}
      <Button
        className={styles.again ?? ""}
        variant="default"
        size="xs"
        loading={isFetching}
        onClick={() => void refetch()}
      >
        Look again
      </Button>
    </Section>
  )
}

const tones: Record<DoctorCheck["status"], { tone: Tone; word: string }> = {
  fail: { tone: "bad", word: "Fails" },
  warn: { tone: "warning", word: "Warning" },
  ok: { tone: "good", word: "Good" },
}
const order = Object.keys(tones)

/** The worst first. */
const Checks = ({ checks }: { checks: readonly DoctorCheck[] }) => (
  <ul className={styles.findings} aria-label="Checks">
    {checks
      .toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))
      .map(({ name, status, message }) => (
        <li key={`${name} ${message}`} className={styles.check}>
          <StatusMark tone={tones[status].tone}>{tones[status].word}</StatusMark>
          <div>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            <span>{message}</span>
          </div>
        </li>
      ))}
  </ul>
)
