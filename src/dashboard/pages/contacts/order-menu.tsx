import { ActionIcon, Menu, Tooltip } from "@mantine/core"
import { IconArrowsSort } from "@tabler/icons-react"
import type { SortKey } from "../../api/contacts.ts"
import type { Order } from "../../list/sort-header.tsx"

const orders = [
  { value: "newest", name: "Newest first", sort: "createdAt", dir: "desc" },
  { value: "oldest", name: "Oldest first", sort: "createdAt", dir: "asc" },
  { value: "from-a", name: "Email, from A to Z", sort: "email", dir: "asc" },
  { value: "from-z", name: "Email, from Z to A", sort: "email", dir: "desc" },
] as const satisfies readonly (Order<SortKey> & { value: string; name: string })[]

interface OrderMenuProps {
  view: Order<SortKey>
  onView(order: Order<SortKey>): void
}

/** The order of the list, for screens too narrow for sortable columns. */
export function OrderMenu({ view, onView }: OrderMenuProps) {
  const now = orders.find(({ sort, dir }) => sort === view.sort && dir === view.dir)
  const choose = (value: string) => {
    const order = orders.find((one) => one.value === value)
    if (order) onView({ sort: order.sort, dir: order.dir })
  }
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <Tooltip label="Order">
          <ActionIcon variant="default" size={36} aria-label="Order">
            <IconArrowsSort size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={now?.value ?? ""} onChange={choose}>
          {orders.map(({ value, name }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
