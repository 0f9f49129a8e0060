import { VisuallyHidden } from "@mantine/core"

/** The header of a column of menus and buttons: its name is only read aloud. */
export const ActionsHeader = () => (
  <th scope="col">
    <VisuallyHidden>Actions</VisuallyHidden>
  </th>
)
