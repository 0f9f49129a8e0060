import { ActionIcon, type MantineColorScheme, Menu, Tooltip, useMantineColorScheme } from "@mantine/core"
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react"

const schemes = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "System", icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; label: string; icon: typeof IconSun }[]

/** Light, dark, or as the system has it. */
export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = schemes.find(({ value }) => value === colorScheme)?.icon ?? IconDeviceDesktop
  return (
    <Menu position="top-start" width={160}>
      <Menu.Target>
        <Tooltip label="Theme">
          <ActionIcon variant="subtle" color="gray" aria-label="Theme">
            <Current size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={value === colorScheme}
            leftSection={<Icon size={16} stroke={1.6} />}
            rightSection={value === colorScheme ? <IconCheck size={14} /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
