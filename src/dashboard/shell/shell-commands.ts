import { useMantineColorScheme } from "@mantine/core"
import {
  IconBolt,
  IconBook,
  IconDeviceDesktop,
  IconFilePlus,
  IconForms,
  IconKey,
  IconMoon,
  IconSpeakerphone,
  IconStack2,
  IconSun,
  IconUpload,
  IconUserPlus,
  IconUsersPlus,
  IconWorld,
} from "@tabler/icons-react"
import { useLocation } from "wouter"
import { type Command, useCommands } from "../context/commands.tsx"
import { openNewCampaign } from "../pages/campaigns/new-campaign.tsx"
import { openCreateContact } from "../pages/contacts/create-contact.tsx"
import { useJobs } from "../pages/contacts/jobs/jobs.tsx"
import { openNewTemplate } from "../pages/templates/new-template.tsx"
import { copyAloud } from "../ui/copy.tsx"
import { places } from "./nav-items.ts"
import { useSession, useSwitchProject } from "./session.tsx"

const pages = [
  ...places,
  { path: "/contacts/fields", name: "Contact fields", icon: IconForms },
  { path: "/events/names", name: "Event names", icon: IconBolt },
]

/** What can be done on every page: look, keys, projects, documentation. */
export function useShellCommands(): void {
  const { config, project, projects } = useSession()
  const change = useSwitchProject()
  const { setColorScheme } = useMantineColorScheme()
  const { secret } = project
  const { wiki } = config.urls

  const [location, go] = useLocation()
  const { openImport } = useJobs()
  const start = { group: "New" } as const
  const view = { group: "View" } as const
  const ours = { group: "Project" } as const
  const commands: (Command | false)[] = [
    ...pages
      .filter(({ path }) => path !== location)
      .map(({ path, name, icon }) => ({
        id: `go-${path}`,
        label: `Go to ${name.toLowerCase()}`,
        group: "Go to" as const,
        icon,
        run: () => go(path),
      })),
    { ...start, id: "add-contact", label: "Add a contact", icon: IconUserPlus, run: openCreateContact },
    { ...start, id: "import", label: "Import contacts", icon: IconUpload, run: () => openImport() },
    {
      ...start,
      id: "new-segment",
      label: "New segment",
      icon: IconUsersPlus,
      run: () => go("/segments/new"),
    },
    { ...start, id: "new-campaign", label: "New campaign", icon: IconSpeakerphone, run: openNewCampaign },
    { ...start, id: "new-template", label: "New template", icon: IconFilePlus, run: openNewTemplate },
    { ...view, id: "light", label: "Light theme", icon: IconSun, run: () => setColorScheme("light") },
    { ...view, id: "dark", label: "Dark theme", icon: IconMoon, run: () => setColorScheme("dark") },
    { ...view, id: "auto", label: "Theme of the system", icon: IconDeviceDesktop, run: () => setColorScheme("auto") },
    secret !== null && {
      ...ours,
      id: "copy-secret",
      label: "Copy secret key",
      icon: IconKey,
      run: () => copyAloud(secret, "Secret key"),
    },
    {
      ...ours,
      id: "copy-public",
      label: "Copy public key",
      icon: IconKey,
      run: () => copyAloud(project.public, "Public key"),
    },
    {
      ...ours,
      id: "copy-url",
      label: "Copy API address",
      icon: IconWorld,
      run: () => copyAloud(config.urls.api, "API address"),
    },
    wiki !== null && {
      ...ours,
      id: "docs",
      label: "API documentation",
      icon: IconBook,
      run: () => window.open(wiki, "_blank", "noopener"),
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
