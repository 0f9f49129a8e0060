import { ActionIcon, type MantineColorScheme, Menu, Tooltip, useMantineColorScheme } from "@mantine/core"
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react"

const schemes = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "System", icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; label: string; icon: typeof IconSun }[]

const schemeOf = (text: string): MantineColorScheme => schemes.find(({ value }) => value === text)?.value ?? "auto"

/** Light, dark, or as the system. */
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
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(schemeOf(value))}>
          {schemes.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick rightSection={<Icon size={16} stroke={1.6} />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
