import { Button, Switch, Textarea } from "@mantine/core"
import { useMemo, useState } from "react"
import { useRouter } from "wouter"
import { reasonOf } from "../../../api/refusal.ts"
import { type AddedMembers, addMembers, mostAddresses, type Segment } from "../../../api/segments.ts"
import { useUnsaved } from "../../../context/leave-guard.ts"
import { useIsReadOnly } from "../../../context/session.ts"
import { refetchContacts } from "../../../queries/contacts.ts"
import { refetchMembers } from "../../../queries/segments.ts"
import { useChange } from "../../../queries/use-change.ts"
import form from "../../../ui/form.module.css"
import { Form } from "../../../ui/form.tsx"
import { modals } from "../../../ui/modals.ts"
import styles from "./add-members.module.css"
import { chunks, type Pasted, readPasted } from "./addresses.ts"

export function openAddMembers(segment: Segment): void {
  modals.openForm({
    title: `Add people to ${segment.name}`,
    size: 520,
    // A slip of the hand must not lose a list of addresses either.
    closeOnEscape: false,
    children: <AddDialog segment={segment} />,
  })
}

const AddDialog = ({ segment }: { segment: Segment }) => (
  <AddMembers segment={segment} canCancel onDone={() => modals.closeAll()} />
)

interface AddMembersProps {
  segment: Segment
  canCancel?: boolean
  /** Called when the dialog is finished or cancelled. */
  onDone(): void
}

interface Request {
  readonly addresses: readonly string[]
  readonly createMissing: boolean
  /** Addresses that an earlier request has not found, and that are not in this one. */
  readonly notFound?: readonly string[]
}

const shownInvalid = 5
const formatAddresses = (n: number): string => `${n.toLocaleString("en")} ${n === 1 ? "address" : "addresses"}`

/** Adds pasted addresses, any number of them, and reports the outcome. */
export function AddMembers({ segment, canCancel = false, onDone }: AddMembersProps) {
  const isReadOnly = useIsReadOnly()
  const [text, setText] = useState("")
  const [createMissing, setCreate] = useState(false)
  const [subscribed, setSubscribed] = useState(true)
  const [done, setDone] = useState(0)
  const [result, setResult] = useState<AddedMembers | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  /** What is left of a request of which a portion failed. */
  const [rest, setRest] = useState<Request | null>(null)
  const pasted = useMemo(() => readPasted(text), [text])

  const adding = useChange({
    /** Resolves also when a portion was refused, because the ones before it were added. */
    async send(projectId, { addresses, createMissing, notFound: earlier = [] }: Request) {
      let sum: AddedMembers = { added: 0, created: 0, notFound: [...earlier] }
      let sent = 0
      try {
        for (const emails of chunks(addresses, mostAddresses)) {
          const body = { emails, createMissing, subscribed }
          const { added, created, notFound } = await addMembers(projectId, segment.id, body)
          sum = { added: sum.added + added, created: sum.created + created, notFound: [...sum.notFound, ...notFound] }
          sent += emails.length
          setDone(sent)
        }
        return { sum, sent, failure: null }
      } catch (cause) {
        return { sum, sent, failure: reasonOf(cause) }
      }
    },
    async done(client, projectId, { sum, sent, failure }, { addresses, createMissing }) {
      setFailure(failure)
      setRest(failure === null ? null : { addresses: addresses.slice(sent), createMissing, notFound: sum.notFound })
      if (failure === null || sent > 0)
        setResult((before) => ({
          added: (before?.added ?? 0) + sum.added,
          created: (before?.created ?? 0) + sum.created,
          notFound: sum.notFound,
        }))
      setDone(0)
      await refetchMembers(client, projectId, segment.id)
      if (sum.created > 0) await refetchContacts(client, projectId)
    },
  })
  const { base } = useRouter()
  useUnsaved(
    text.trim() !== "" && result === null && !adding.isRunning,
    (path) => path === `${base}/segments/${segment.id}`,
    () => false,
  )
  const add = (request: Request) => {
    setFailure(null)
    void adding.run(request)
  }

  if (result) {
    return (
      <Outcome
        result={result}
        failure={failure}
        adding={adding.isRunning}
        rest={rest?.addresses.length ?? 0}
        onRest={() => rest && add(rest)}
        onCreate={() => add({ addresses: result.notFound, createMissing: true })}
        onDone={onDone}
      />
    )
  }
  return (
    <Form
      className={styles.form}
      onSubmit={() => {
        if (pasted.addresses.length > 0) add({ addresses: pasted.addresses, createMissing })
      }}
    >
      <Textarea
        label="Addresses"
        placeholder={"ada@example.com\nGrace Hopper <grace@example.com>"}
        data-autofocus
        rows={7}
        classNames={{ input: styles.area ?? "" }}
        value={text}
        error={failure}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setFailure(null)
        }}
      />
      <Reading pasted={pasted} />
      <Switch
        label="Create contacts that are missing"
        description="Otherwise addresses without a contact are left out, and named."
        checked={createMissing}
        onChange={(event) => setCreate(event.currentTarget.checked)}
      />
      {createMissing && (
        <Switch
          label="Subscribe them"
          description="They receive campaigns and marketing mail. Contacts that exist stay as they are."
          checked={subscribed}
          onChange={(event) => setSubscribed(event.currentTarget.checked)}
        />
      )}
      <div className={form.actions}>
        {canCancel && (
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={adding.isRunning} disabled={isReadOnly || pasted.addresses.length === 0}>
          {pasted.addresses.length > 0 ? `Add ${formatAddresses(pasted.addresses.length)}` : "Add"}
        </Button>
      </div>
      {done > 0 && <p className={styles.progress}>{done.toLocaleString("en")} done</p>}
    </Form>
  )
}

/** The parsed content of the text. */
function Reading({ pasted: { addresses, invalid, repeated } }: { pasted: Pasted }) {
  if (addresses.length + invalid.length === 0) {
    return (
      <p className={styles.reading}>
        One per line, or with commas or semicolons between them. A column copied from a spreadsheet is fine too.
      </p>
    )
  }
  return (
    <div className={styles.reading} role="status">
      {formatAddresses(addresses.length)}
      {repeated > 0 && `, ${repeated.toLocaleString("en")} more than once`}
      {invalid.length > 0 && (
        <p className={styles.invalid}>
          Left out, for they look like no address: {invalid.slice(0, shownInvalid).join(", ")}
          {invalid.length > shownInvalid && ` and ${(invalid.length - shownInvalid).toLocaleString("en")} more`}
        </p>
      )}
    </div>
  )
}

interface OutcomeProps {
  result: AddedMembers
  failure: string | null
  adding: boolean
  /** The number of addresses that are left after a failure. */
  rest: number
  onRest(): void
  onCreate(): void
  onDone(): void
}

function Outcome({ result, failure, adding, rest, onRest, onCreate, onDone }: OutcomeProps) {
  const { added, created, notFound } = result
  return (
    <div className={styles.form} role="status">
      <dl className={styles.result}>
        <dt>On the list</dt>
        <dd>{added.toLocaleString("en")}</dd>
        <dt>New contacts</dt>
        <dd>{created.toLocaleString("en")}</dd>
        <dt>Not found</dt>
        <dd>{notFound.length.toLocaleString("en")}</dd>
      </dl>
      {failure && (
        <p className={styles.failure} role="alert">
          The rest was not added: {failure}
        </p>
      )}
      {notFound.length > 0 && (
        <>
          <p className={styles.reading}>There is no contact with these addresses:</p>
          <textarea className={styles.missing} aria-label="Not found" readOnly rows={4} value={notFound.join("\n")} />
        </>
      )}
      <div className={form.actions}>
        {rest > 0 && (
          <Button variant="default" loading={adding} onClick={onRest}>
            Add the other {formatAddresses(rest)}
          </Button>
        )}
        {rest === 0 && notFound.length > 0 && (
          <Button variant="default" loading={adding} onClick={onCreate}>
            Create and add {notFound.length === 1 ? "it" : "them"}
          </Button>
        )}
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}
