import { Textarea, TextInput } from "@mantine/core"
import type { ReactNode, RefObject } from "react"
import type { SyntaxFault } from "../../api/refusal.ts"
import type { ContentDraft } from "./content-draft.ts"
import styles from "./content-editor.module.css"
import { readPreheader, withPreheader } from "./preheader.ts"

interface EnvelopeProps {
  draft: ContentDraft
  fault: SyntaxFault | null
  subjectRef: RefObject<HTMLInputElement | null>
  textRef: RefObject<HTMLTextAreaElement | null>
  /** The cursor is in one of the fields that take variables. */
  onFocus(field: "subject" | "text"): void
}

/** The fields for sender, reply address, subject and text part. */
export function Envelope({ draft, fault, subjectRef, textRef, onFocus }: EnvelopeProps) {
  const {
    content: fields,
    refusal: { faults },
    edit,
  } = draft
  return (
    <div className={styles.envelope}>
      <Line name="From">
        <Field
          label="Sender name"
          placeholder="Sender name"
          value={fields.fromName ?? ""}
          error={faults.fromName}
          onChange={(fromName) => edit({ fromName })}
        />
        <Field
          label="From"
          type="email"
          placeholder="hello@example.com"
          value={fields.from}
          error={faults.from}
          onChange={(from) => edit({ from })}
        />
      </Line>
      <Line name="Reply to">
        <Field
          label="Reply to"
          type="email"
          placeholder="The sender"
          value={fields.replyTo ?? ""}
          error={faults.replyTo}
          onChange={(replyTo) => edit({ replyTo })}
        />
      </Line>
      <Line name="Note">
        <Field
          label="Note"
          placeholder="For you and your team, never sent"
          value={fields.description ?? ""}
          error={faults.description}
          onChange={(description) => edit({ description })}
        />
      </Line>
      <Line name="Subject">
        <Field
          label="Subject"
          strong
          placeholder="What the mail is about"
          value={fields.subject}
          error={fault?.field === "subject" ? formatFault(fault) : faults.subject}
          fieldRef={subjectRef}
          onFocus={() => onFocus("subject")}
          onChange={(subject) => edit({ subject })}
        />
      </Line>
      <Line name="Preheader">
        <Field
          label="Preheader"
          placeholder="What lists of mail show after the subject"
          value={readPreheader(fields.body)}
          error={undefined}
          onChange={(text) => edit({ body: withPreheader(fields.body, text) })}
        />
      </Line>
      <Line name="Plain text">
        <Textarea
          ref={textRef}
          className={styles.field ?? ""}
          variant="unstyled"
          size="sm"
          aria-label="Plain text"
          placeholder="Made from the body"
          autosize
          maxRows={6}
          attributes={{ input: { dir: "auto" } }}
          value={fields.text ?? ""}
          onFocus={() => onFocus("text")}
          error={fault?.field === "text" ? `Line ${fault.line}, ${lowerFirst(formatFault(fault))}` : faults.text}
          onChange={(event) => edit({ text: event.currentTarget.value || null })}
        />
      </Line>
    </div>
  )
}

const formatFault = ({ column, message }: SyntaxFault): string => `Column ${column}: ${message}`
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.line}>
    <span className={styles.lineName} aria-hidden="true">
      {name}
    </span>
    {children}
  </div>
)

interface FieldProps {
  label: string
  placeholder: string
  value: string
  error: string | undefined
  onChange(value: string): void
  onFocus?: () => void
  type?: "email"
  strong?: boolean
  fieldRef?: RefObject<HTMLInputElement | null>
}

function Field({ label, placeholder, value, error, onChange, onFocus, type, strong = false, fieldRef }: FieldProps) {
  return (
    <TextInput
      {...(fieldRef ? { ref: fieldRef } : {})}
      className={styles.field ?? ""}
      data-strong={strong || undefined}
      variant="unstyled"
      size="sm"
      aria-label={label}
      placeholder={placeholder}
      {...(type ? { type } : { attributes: { input: { dir: "auto" } } })}
      value={value}
      error={error}
      onFocus={onFocus}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
