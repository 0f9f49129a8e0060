import { useDocumentTitle } from "@mantine/hooks"
import { useSession } from "../../context/session.ts"
import { AccountSections } from "../../parts/account/account-sections.tsx"
import { PageHead } from "../../parts/page-head.tsx"
import { SectionsPage } from "../../ui/section.tsx"

/** The settings of the user, for all projects. */
export default function AccountPage() {
  const { config, user } = useSession()
  useDocumentTitle("Your account · Mailstead")
  return (
    <SectionsPage>
      <PageHead title="Your account" summary={user.email} />
      <AccountSections config={config} user={user} />
    </SectionsPage>
  )
}
