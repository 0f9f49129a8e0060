import { Popover, UnstyledButton } from "@mantine/core"
import type { EmailRecord } from "../../api/emails.ts"
import { fullTime } from "../../ui/format.ts"
import { Status } from "../../ui/status.tsx"
import styles from "./progress.module.css"

/** The status, and on a click the times of its changes. */
export function Progress({ email }: { email: EmailRecord }) {
  const steps = [
    [email.sourceType === "INBOUND" ? "Received" : "Accepted", email.createdAt],
    ["Sent", email.sentAt],
    ["Delivered", email.deliveredAt],
    [times("Opened", email.opens), email.openedAt],
    [times("Clicked", email.clicks), email.clickedAt],
    ["Bounced", email.bouncedAt],
    ["Complained", email.complainedAt],
  ] as const
  return (
    <Popover position="bottom-end" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <UnstyledButton className={styles.button ?? ""} aria-label={`Status ${email.status.toLowerCase()}, show times`}>
          <Status status={email.status} pill />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Times" tabIndex={-1} data-autofocus>
        <dl className={styles.steps}>
          {steps.map(
            ([name, at]) =>
              at && (
                <div key={name} className={styles.step}>
                  <dt>{name}</dt>
                  <dd>
                    <time dateTime={at}>{fullTime(Date.parse(at))}</time>
                  </dd>
                </div>
              ),
          )}
        </dl>
      </Popover.Dropdown>
    </Popover>
  )
}

const times = (name: string, n: number): string => (n > 1 ? `${name} ${n} times` : name)
