const tabs = [
  { path: "/domains", name: "Domains" },
  { path: "/domains/reputation", name: "Reputation" },
] as const

/** The pages about sending, one of which is in view. */
export const domainTabs = (current: (typeof tabs)[number]["path"]) =>
  tabs.map(({ path, name }) => ({ path, name, current: path === current }))
