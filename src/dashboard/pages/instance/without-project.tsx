import { Router } from "wouter"
import { CommandsProvider } from "../../context/commands.tsx"
import { ModalsHost } from "../../shell/modals-host.tsx"
import { BackLink } from "../../ui/back-link.tsx"
import InstancePage from "./instance-page.tsx"
import styles from "./without-project.module.css"

/** The pages about the server for its owner without a project: the navigation of one is missing here. */
export default function InstanceWithoutProject() {
  return (
    <CommandsProvider>
      <div className={styles.screen}>
        <BackLink className={styles.back} />
        {/* the tabs are addresses beyond every project */}
        <Router base="/p/none">
          <InstancePage />
        </Router>
        <ModalsHost />
      </div>
    </CommandsProvider>
  )
}
