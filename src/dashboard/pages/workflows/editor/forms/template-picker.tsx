import { Select } from "@mantine/core"
import { useTemplateSearch } from "../../../../parts/templates/use-template-search.ts"

interface TemplatePickerProps {
  value: string | null
  /** The name of the chosen one; null when it is gone, undefined until it is known. */
  name: string | null | undefined
  fault: string | undefined
  onChange(template: { readonly id: string; readonly name: string }): void
}

/** Chooses a template by typing a part of its name. */
export function TemplatePicker({ value, name, fault, onChange }: TemplatePickerProps) {
  const chosen = value === null ? undefined : { value, label: name === null ? "A deleted template" : (name ?? "") }
  const { found, isFetching, setText } = useTemplateSearch(chosen?.label)
  const options = found.map((one) => ({ value: one.id, label: one.name }))
  const isListed = chosen === undefined || options.some((one) => one.value === chosen.value)
  return (
    <Select
      label="Template"
      size="sm"
      searchable
      placeholder="Choose a template"
      nothingFoundMessage={isFetching ? "Searching…" : "No such template"}
      data={isListed ? options : [chosen, ...options]}
      value={value}
      error={fault}
      comboboxProps={{ shadow: "lg" }}
      allowDeselect={false}
      data-first
      onSearchChange={setText}
      onChange={(id) => {
        const template = found.find((one) => one.id === id)
        if (template) onChange(template)
      }}
    />
  )
}
