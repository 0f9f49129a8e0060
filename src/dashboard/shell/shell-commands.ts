import { useMantineColorScheme } from "@mantine/core"
import {
  IconBook,
  IconDeviceDesktop,
  IconKey,
  IconMoon,
  IconPlus,
  IconStack2,
  IconSun,
  IconWorld,
} from "@tabler/icons-react"
import { useLocation } from "wouter"
import { type Command, useCommands } from "../context/commands.tsx"
import { useSession, useSwitchProject } from "../context/session.ts"
import type { Section } from "../frame/sections.ts"
import { openNewProject } from "../parts/new-project/open-new-project.ts"
import { copyWithNotice } from "../ui/copy.tsx"

/** The commands of every page: other pages, appearance, keys, projects, documentation. */
export function useShellCommands(items: readonly Section[]): void {
  const { config, project, projects } = useSession()
  const change = useSwitchProject()
  const { setColorScheme } = useMantineColorScheme()
  const { shownSecret: secret } = project
  const { wiki } = config.urls

  const [location, go] = useLocation()
  const view = { group: "View" } as const
  const ours = { group: "Project" } as const
  const commands: (Command | false)[] = [
    ...items
      .filter(({ path }) => path !== location)
      .map(({ path, name, icon }) => ({
        id: `go-${path}`,
        label: `Go to ${name.toLowerCase()}`,
        group: "Go to" as const,
        icon,
        run: () => go(path),
      })),
    { ...view, id: "light", label: "Light theme", icon: IconSun, run: () => setColorScheme("light") },
    { ...view, id: "dark", label: "Dark theme", icon: IconMoon, run: () => setColorScheme("dark") },
    { ...view, id: "auto", label: "Theme of the system", icon: IconDeviceDesktop, run: () => setColorScheme("auto") },
    secret !== null && {
      ...ours,
      id: "copy-secret",
      label: "Copy secret key",
      icon: IconKey,
      run: () => copyWithNotice(secret, "Secret key"),
    },
    {
      ...ours,
      id: "copy-public",
      label: "Copy public key",
      icon: IconKey,
      run: () => copyWithNotice(project.public, "Public key"),
    },
    {
      ...ours,
      id: "copy-url",
      label: "Copy API address",
      icon: IconWorld,
      run: () => copyWithNotice(config.urls.api, "API address"),
    },
    wiki !== null && {
      ...ours,
      id: "docs",
      label: "API documentation",
      icon: IconBook,
      run: () => window.open(wiki, "_blank", "noopener"),
    },
    !config.sandbox && {
      ...ours,
      id: "new-project",
      label: "New project",
      icon: IconPlus,
      run: openNewProject,
    },
    ...projects
      .filter(({ id }) => id !== project.id)
      .map(({ id, name }) => ({
        ...ours,
        id: `project-${id}`,
        label: `Switch to ${name}`,
        icon: IconStack2,
        run: () => change(id),
      })),
  ]
  useCommands(commands.filter((command) => command !== false))
}
