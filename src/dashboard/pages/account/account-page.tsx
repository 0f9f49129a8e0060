import { useDocumentTitle } from "@mantine/hooks"
import { useSession } from "../../context/session.ts"
import { PageHead } from "../../parts/page-head.tsx"
import { Section, Sections, SectionsPage } from "../../ui/section.tsx"
import { AddressForm } from "./address-form.tsx"
import { PasswordForm } from "./password-form.tsx"
import { SessionList } from "./session-list.tsx"

/** The settings of the user, for all projects. */
export default function AccountPage() {
  const { user } = useSession()
  useDocumentTitle("Your account · Mailstead")
  return (
    <SectionsPage>
      <PageHead title="Your account" summary={user.email} />
      <Sections>
        <Section title="Address" text="You sign in with it, and notices about your projects go to it.">
          <AddressForm />
        </Section>
        <Section title="Password" text="A new one signs you out everywhere else.">
          <PasswordForm />
        </Section>
        <Section title="Sessions" text="Where you are signed in. A session lasts seven days.">
          <SessionList />
        </Section>
      </Sections>
    </SectionsPage>
  )
}
