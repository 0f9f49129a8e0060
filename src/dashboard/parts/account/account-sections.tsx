import type { User } from "../../api/auth.ts"
import type { Config } from "../../api/instance.ts"
import { Section, Sections } from "../../ui/section.tsx"
import { AddressForm } from "./address-form.tsx"
import { PasswordForm } from "./password-form.tsx"
import { SessionList } from "./session-list.tsx"

/** What belongs to a user, with a project or without. */
export const AccountSections = ({ config, user }: { config: Config; user: User }) => (
  <Sections>
    <Section title="Address" text="You sign in with it, and notices about your projects go to it.">
      <AddressForm config={config} user={user} />
    </Section>
    <Section title="Password" text="A new one signs you out everywhere else.">
      <PasswordForm user={user} />
    </Section>
    <Section title="Sessions" text="Where you are signed in. A session lasts seven days.">
      <SessionList />
    </Section>
  </Sections>
)
