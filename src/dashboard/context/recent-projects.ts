import { useLocalStorage } from "@mantine/hooks"
import { useCallback } from "react"
import type { Project } from "../api/instance.ts"

const most = 50

/** The projects used in this browser, the last one first. */
export function useRecentProjects() {
  const [recent, setRecent] = useLocalStorage<readonly string[]>({
    key: "mailstead.projects",
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const use = useCallback(
    (id: string) =>
      setRecent((before) => (before[0] === id ? before : [id, ...before.filter((one) => one !== id)].slice(0, most))),
    [setRecent],
  )
  return { recent, use }
}

/** Last used first; those never used here follow in their given order. */
export function byRecency(projects: readonly Project[], recent: readonly string[]): readonly Project[] {
  const place = ({ id }: Project) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return projects.toSorted((one, other) => place(one) - place(other))
}
