/** The two pages about events, with the present one marked. */
export const navItems = (current: "/events" | "/events/names") =>
  (
    [
      ["/events", "Recent"],
      ["/events/names", "Names"],
    ] as const
  ).map(([path, name]) => ({ path, name, current: path === current }))

/** Where the recent events of a name are listed. */
export const eventsPath = (name: string): string => `/events?${new URLSearchParams({ name })}`
