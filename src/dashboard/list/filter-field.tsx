import { NativeSelect } from "@mantine/core"

interface FilterFieldProps<V extends string> {
  label: string
  /** The label of the choice that filters nothing. */
  every: string
  names: Readonly<Record<V, string>>
  value: V | null
  onChange(value: V | null): void
}

/** Filters a list by one of a few values. */
export function FilterField<V extends string>({ label, every, names, value, onChange }: FilterFieldProps<V>) {
  const values = Object.keys(names) as V[]
  return (
    <NativeSelect
      aria-label={label}
      size="sm"
      data={[{ value: "", label: every }, ...values.map((one) => ({ value: one, label: names[one] }))]}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(values.find((one) => one === currentTarget.value) ?? null)}
    />
  )
}
