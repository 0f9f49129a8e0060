import { UnstyledButton, type UnstyledButtonProps } from "@mantine/core"
import { IconChevronDown } from "@tabler/icons-react"
import type { ComponentProps } from "react"
import styles from "./builder.module.css"
import type { Catalogue, Choice } from "./catalogue.ts"

export interface FieldPickerProps {
  field: string
  catalogue: Pick<Catalogue, "groups" | "choiceOf" | "guessesOf">
  fault: string | undefined
  /** Called when a field is chosen; the caller moves the focus. */
  onField(field: string): void
}

interface FieldButtonProps extends UnstyledButtonProps, Omit<ComponentProps<"button">, keyof UnstyledButtonProps> {
  choice: Choice | null
  fault: string | undefined
}

/** The chosen subject. */
export const FieldButton = ({ choice, fault, ...others }: FieldButtonProps) => (
  <UnstyledButton
    {...others}
    className={styles.field ?? ""}
    aria-label={choice ? `Field: ${choice.label}` : "Choose a field"}
    aria-invalid={fault !== undefined}
    data-lost={choice?.isKnown === false || undefined}
    data-empty={!choice || undefined}
    title={choice?.label}
  >
    {choice && <choice.icon size={16} stroke={1.6} />}
    <span className={styles.fieldName}>{choice?.label ?? "Choose a field…"}</span>
    <IconChevronDown size={14} stroke={1.7} />
  </UnstyledButton>
)
