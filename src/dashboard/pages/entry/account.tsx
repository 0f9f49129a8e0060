import { useDocumentTitle } from "@mantine/hooks"
import type { User } from "../../api/auth.ts"
import type { Config } from "../../api/instance.ts"
import { AccountSections } from "../../parts/account/account-sections.tsx"
import { BackLink } from "../../ui/back-link.tsx"
import { SectionsPage } from "../../ui/section.tsx"
import styles from "./account.module.css"

/** The account of somebody who has no project: the navigation of one is missing here. */
export default function Account({ config, user }: { config: Config; user: User }) {
  useDocumentTitle("Your account · Mailstead")
  return (
    <div className={styles.screen}>
      <SectionsPage>
        <header className={styles.head}>
          <BackLink className={styles.back} />
          <h1 className={styles.title}>Your account</h1>
          <span className={styles.email}>{user.email}</span>
        </header>
        <AccountSections config={config} user={user} />
      </SectionsPage>
    </div>
  )
}
