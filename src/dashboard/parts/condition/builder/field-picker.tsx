import { Combobox, UnstyledButton, useCombobox } from "@mantine/core"
import { IconChevronDown } from "@tabler/icons-react"
import { useEffect, useRef, useState } from "react"
import styles from "./builder.module.css"
import type { Catalogue, Choice, ChoiceGroup } from "./catalogue.ts"

interface FieldPickerProps {
  field: string
  catalogue: Pick<Catalogue, "groups" | "choiceOf" | "guessesOf">
  fault: string | undefined
  /** Called when a field is chosen; the caller moves the focus. */
  onField(field: string): void
}

/** More than this many of a kind are found only by searching. */
const shownOfGroup = 40

/** Chooses the subject of a rule by name: a field, an event, mail or a segment. */
export function FieldPicker({ field, catalogue, fault, onField }: FieldPickerProps) {
  const [text, setText] = useState("")
  const isChosen = useRef(false)
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      if (!isChosen.current) combobox.focusTarget()
      isChosen.current = false
      setText("")
    },
  })
  const { openDropdown } = combobox
  // opens automatically for a rule that was just added
  const isNew = useRef(field === "")
  useEffect(() => {
    if (isNew.current) openDropdown()
    isNew.current = false
  }, [openDropdown])
  const present = catalogue.choiceOf(field)
  const groups = found(catalogue.groups, text)
  const guesses = catalogue.guessesOf(text)
  return (
    <Combobox
      store={combobox}
      width={300}
      position="bottom-start"
      shadow="lg"
      onOptionSubmit={(chosen) => {
        isChosen.current = true
        combobox.closeDropdown()
        onField(chosen)
      }}
    >
      <Combobox.Target targetType="button">
        <UnstyledButton
          className={styles.field ?? ""}
          aria-label={present ? `Field: ${present.label}` : "Choose a field"}
          aria-invalid={fault !== undefined}
          data-lost={present?.isKnown === false || undefined}
          data-empty={!present || undefined}
          title={present?.label}
          onClick={() => combobox.toggleDropdown()}
        >
          {present && <present.icon size={16} stroke={1.6} />}
          <span className={styles.fieldName}>{present?.label ?? "Choose a field…"}</span>
          <IconChevronDown size={14} stroke={1.7} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Find a field"
          placeholder="Field, event, segment…"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.selectFirstOption()
            combobox.updateSelectedOptionIndex()
          }}
        />
        <Combobox.Options className={styles.options ?? ""} aria-label="Fields">
          {groups.map(({ name, choices }) => (
            <Combobox.Group key={name} label={name}>
              {choices.map((choice) => (
                <Option key={choice.field} choice={choice} chosen={choice.field === field} />
              ))}
            </Combobox.Group>
          ))}
          {guesses.length > 0 && (
            <Combobox.Group label={groups.length > 0 ? "Something else" : "Not seen so far"}>
              {guesses.map((choice) => (
                <Option key={choice.field} choice={choice} chosen={choice.field === field} />
              ))}
            </Combobox.Group>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function Option({ choice, chosen }: { choice: Choice; chosen: boolean }) {
  const { field, label, icon: Icon } = choice
  return (
    <Combobox.Option value={field} active={chosen} className={styles.option ?? ""} data-chosen={chosen || undefined}>
      <Icon size={16} stroke={1.6} />
      <span className={styles.fieldName}>{label}</span>
    </Combobox.Option>
  )
}

function found(groups: readonly ChoiceGroup[], text: string): readonly ChoiceGroup[] {
  const wanted = text.trim().toLowerCase()
  return groups
    .map(({ name, choices }) => ({
      name,
      choices: choices
        .filter(({ label, field }) => label.toLowerCase().includes(wanted) || field.toLowerCase().includes(wanted))
        .slice(0, shownOfGroup),
    }))
    .filter(({ choices }) => choices.length > 0)
}
