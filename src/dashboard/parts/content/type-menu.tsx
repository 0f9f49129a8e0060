import { Button, Menu } from "@mantine/core"
import { IconChevronDown } from "@tabler/icons-react"
import { mailTypes, type Template } from "../../api/templates.ts"
import { typeMeanings, typeNames } from "./mail-types.ts"
import styles from "./type-menu.module.css"

/** The type of a mail, and what each type means. */
export function TypeMenu({ type, onType }: { type: Template["type"]; onType(type: Template["type"]): void }) {
  return (
    <Menu position="bottom-start" width={320}>
      <Menu.Target>
        <Button
          className={styles.type ?? ""}
          variant="light"
          color="gray"
          radius="xl"
          rightSection={<IconChevronDown size={12} stroke={2} />}
          size="compact-xs"
          aria-label={`Type: ${typeNames[type]}`}
        >
          {typeNames[type]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={type} onChange={(value) => onType(mailTypes.find((known) => known === value) ?? type)}>
          {mailTypes.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {typeNames[one]}
              <small className={styles.meaning}>{typeMeanings[one]}</small>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
