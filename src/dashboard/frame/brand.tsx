import { Logo } from "../ui/logo.tsx"

/** The top of the navigation. */
export const Brand = ({ sandbox }: { sandbox: boolean }) => (
  <div className="ms-brand">
    <span className="ms-logo">
      <Logo size={26} />
    </span>
    <span className="ms-name">Mailstead</span>
    {sandbox && <span className="ms-mode">Sandbox</span>}
  </div>
)
