/** The first letter of a name, instead of a picture. */
export const Initial = ({ name }: { name: string }) => (
  <span className="ms-initial" data-initial={[...name][0]?.toUpperCase() ?? "?"} aria-hidden="true" />
)
