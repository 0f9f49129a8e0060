import { Combobox, useCombobox } from "@mantine/core"
import { useEffect, useRef, useState } from "react"
import styles from "./builder.module.css"
import type { Choice, ChoiceGroup } from "./catalogue.ts"
import { FieldButton, type FieldPickerProps } from "./field-button.tsx"

/** More than this many of a kind are found only by searching. */
const shownOfGroup = 40

/** The list of subjects of a rule, with a search; it is open at first. */
export default function FieldChoice({ field, catalogue, fault, onField }: FieldPickerProps) {
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
  const isFresh = useRef(true)
  useEffect(() => {
    if (isFresh.current) openDropdown()
    isFresh.current = false
  }, [openDropdown])
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
        <FieldButton choice={catalogue.choiceOf(field)} fault={fault} onClick={() => combobox.toggleDropdown()} />
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
