import { NativeSelect } from "@mantine/core"

interface FilterFieldProps<V extends string> {
  label: string
  /** What it says while nothing is left out. */
  every: string
  names: Readonly<Record<V, string>>
  value: V | null
  onChange(value: V | null): void
}

/** Narrows a list to one of a few values. */
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
