import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { byName, useTemplates } from "../../queries/templates.ts"

/**
 * Finds templates by a part of the name typed into a field; a project may have more than a list shows. The field shows the
 * label of the chosen option, which is not searched for.
 */
export function useTemplateSearch(chosenLabel: string | undefined) {
  const [text, setText] = useState("")
  const [search] = useDebouncedValue(text === chosenLabel ? "" : text.trim(), 150)
  const { data, isFetching } = useTemplates({ ...byName, search })
  return { found: data?.data ?? [], isFetching, setText }
}
