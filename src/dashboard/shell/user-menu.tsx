import { Menu, UnstyledButton } from "@mantine/core"
import { IconLogout, IconSelector, IconServer, IconUserCircle } from "@tabler/icons-react"
import { useLocation } from "wouter"
import { signOut } from "../api/auth.ts"
import { useLeave } from "../context/leave-guard.ts"
import { useSession } from "../context/session.ts"
import { Initial } from "../frame/initial.tsx"
import { forgetDrafts } from "../parts/draft/kept.ts"
import { MenuEntry } from "../ui/menu-entry.tsx"

/** The menu of the signed-in user, with the settings that belong to no project. The sandbox has no sign-in. */
export function UserMenu({ onGo }: { onGo?: (() => void) | undefined }) {
  const { config, user } = useSession()
  const [, go] = useLocation()
  const leave = useLeave()
  if (config.sandbox) return null
  const to = (address: string) => () => {
    onGo?.()
    go(address)
  }
  return (
    <Menu position="top-start" width={208}>
      <Menu.Target>
        <UnstyledButton className="ms-switcher" data-plain aria-label={`Signed in as ${user.email}`}>
          <Initial name={user.email} />
          <span className="ms-switched">{user.email}</span>
          <IconSelector size={16} stroke={1.6} className="ms-chevron" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuEntry icon={IconUserCircle} run={to("~/app/account")}>
          Your account
        </MenuEntry>
        {user.type === "OWNER" && (
          <MenuEntry icon={IconServer} run={to("~/app/instance")}>
            This server
          </MenuEntry>
        )}
        <Menu.Divider />
        <MenuEntry
          icon={IconLogout}
          run={() =>
            leave(() => {
              forgetDrafts()
              void signOut()
            })
          }
        >
          Sign out
        </MenuEntry>
      </Menu.Dropdown>
    </Menu>
  )
}
