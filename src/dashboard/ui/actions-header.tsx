import { VisuallyHidden } from "@mantine/core"

/** The header of a column of menus and buttons: its name is only for screen readers. */
export const ActionsHeader = () => (
  <th scope="col">
    <VisuallyHidden>Actions</VisuallyHidden>
  </th>
)
