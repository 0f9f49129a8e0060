import { Button, NativeSelect, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { isMissing } from "../../api/http.ts"
import { addProjectMember, type GivenRole } from "../../api/projects.ts"
import { addressFaultOf } from "../../api/refusal.ts"
import { useSession } from "../../context/session.ts"
import { refetchProjectMembers } from "../../queries/projects.ts"
import { useChange } from "../../queries/use-change.ts"
import { CopyButton } from "../../ui/copy.tsx"
import form from "../../ui/form.module.css"
import { Form } from "../../ui/form.tsx"
import { createUserCommand } from "./create-user.ts"
import styles from "./members.module.css"
import { givenRoles, roleNames } from "./roles.ts"

/** Adds a member by address. For an address without an account it shows how to create one. */
export function AddMember() {
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<GivenRole>("MEMBER")
  const [fault, setFault] = useState<string | null>(null)
  const [unknown, setUnknown] = useState<string | null>(null)
  const { signup, systemMail } = useSession().config.features
  const change = useChange({
    send: (projectId, address: string) => addProjectMember(projectId, address, role),
    async done(client, projectId, added, address) {
      // Not the next address, which may have been typed meanwhile.
      setEmail((now) => (now.trim() === address ? "" : now))
      setUnknown(null)
      setFault(null)
      await refetchProjectMembers(client, projectId)
      notifications.show({ message: `${added.email} is a member now`, autoClose: 3000 })
    },
    failed(cause, client, projectId, address) {
      if (isMissing(cause)) setUnknown(address)
      else setFault(addressFaultOf(cause))
      return refetchProjectMembers(client, projectId)
    },
  })
  return (
    <Form
      onSubmit={() => {
        if (email.trim() === "") setFault("Which address?")
        else void change.run(email.trim())
      }}
    >
      <div className={styles.add}>
        <TextInput
          className={styles.email}
          label="Email"
          type="email"
          placeholder="grace@example.com"
          value={email}
          error={fault}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setFault(null)
            setUnknown(null)
          }}
        />
        <NativeSelect
          label="Role"
          value={role}
          data={givenRoles.map((value) => ({ value, label: roleNames[value] }))}
          onChange={({ currentTarget }) => setRole(givenRoles.find((one) => one === currentTarget.value) ?? "MEMBER")}
        />
        <Button type="submit" className={styles.submit ?? ""} loading={change.isRunning}>
          Add
        </Button>
      </div>
      {!signup.signupsDisabled && !systemMail.enabled && (
        <p className={styles.note}>
          Anybody can sign up with any address here, because this server has no sender for mail that confirms it. Add
          only who has told you that the account is theirs.
        </p>
      )}
      {unknown !== null && <NoAccount email={unknown} />}
    </Form>
  )
}

/** Shows how to create an account for the address. */
function NoAccount({ email }: { email: string }) {
  const { config } = useSession()
  const isClosed = config.features.signup.signupsDisabled
  const way = isClosed ? createUserCommand(email) : `${config.urls.dashboard}/sign-up`
  return (
    <div className={form.failed} role="alert">
      {email} has no account on this server yet.{" "}
      {isClosed
        ? "It takes no sign-ups: its operator can make one with this command. Then add them here."
        : "Send them this link to create one, then add them here."}
      <span className={styles.way}>
        <code>{way}</code>
        <CopyButton text={way} label={isClosed ? "Copy command" : "Copy link"} />
      </span>
    </div>
  )
}
