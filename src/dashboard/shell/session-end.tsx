import { Modal } from "@mantine/core"
import type { ReactNode } from "react"
import { useIsMounted } from "../ui/on-demand.tsx"

/** Over a page that may hold something unsaved: it stays until somebody is signed in again. */
export default function SessionEnd({ opened, children }: { opened: boolean; children: ReactNode }) {
  const isMounted = useIsMounted()
  return (
    <Modal
      opened={isMounted && opened}
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Your session has ended"
      size={400}
      centered
    >
      {children}
    </Modal>
  )
}
