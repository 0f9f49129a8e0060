/** The two pages about contacts, with the present one marked. */
export const navItems = (current: "/contacts" | "/contacts/fields") =>
  (
    [
      ["/contacts", "People"],
      ["/contacts/fields", "Fields"],
    ] as const
  ).map(([path, name]) => ({
    path,
    name,
    current: path === current,
  }))
