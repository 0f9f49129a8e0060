import { mayManage, type Session } from "../../context/session.ts"

/** The settings pages available to this user; the sandbox has one user, who may do everything. */
export function tabsOf({ config, project }: Session) {
  const manages = mayManage(project)
  const tabs = [
    { path: "/settings", name: "General", offered: true },
    { path: "/settings/keys", name: "API keys", offered: true },
    { path: "/settings/members", name: "Members", offered: !config.sandbox },
    { path: "/settings/audit", name: "Audit", offered: manages && !config.sandbox },
    { path: "/settings/requests", name: "Requests", offered: manages },
    { path: "/settings/danger", name: "Reset", offered: manages },
  ] as const
  return tabs.filter(({ offered }) => offered)
}
