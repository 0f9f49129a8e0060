import { useQuery } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { signOut, type User } from "../../api/auth.ts"
import { useRecentProjects } from "../../context/recent-projects.ts"
import { NewProjectForm } from "../../parts/new-project/new-project.tsx"
import { projectsQuery } from "../../queries/session.ts"
import { EntryScreen } from "./entry-screen.tsx"
import { SignOutFoot } from "./sign-out-foot.tsx"

/** Also shown to a user who was removed from the project, or deleted it in another window, while working in it. */
const notOpen = "The project at this address is not open to you: you are no member of it, or it is deleted."

/** Replaces every page while the user has no project. */
export default function FirstProject({ user }: { user: User }) {
  const [location, go] = useLocation()
  const { recent } = useRecentProjects()
  // whoever waits here for a colleague does not leave the page and come back, which would ask again
  useQuery({ ...projectsQuery, refetchInterval: 5_000 })
  // the last step of the set-up, which a server whose project the command line made does not have
  const isSetup = user.type === "OWNER" && recent.length === 0
  const text =
    user.type === "OWNER"
      ? "What do you send mail for? You can rename it, and add more."
      : "Make one of your own, or ask a colleague to add you to theirs: it then shows up here."
  return (
    <EntryScreen
      {...(isSetup ? { step: "The last step" } : {})}
      title="Name your project"
      text={location.startsWith("/p/") ? `${notOpen} ${text}` : text}
      foot={<SignOutFoot user={user} withAccount onSignOut={() => void signOut()} />}
    >
      <NewProjectForm onCreated={(id) => go(`/p/${id}`, { replace: true })} />
    </EntryScreen>
  )
}
