import { DisabledNotice } from "./disabled-notice.tsx"
import { PausedNotice } from "./paused-notice.tsx"

/** What is said above every page while mail does not leave. */
export default function Notices() {
  return (
    <>
      <DisabledNotice />
      <PausedNotice />
    </>
  )
}
