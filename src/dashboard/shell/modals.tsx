import { ModalsProvider } from "@mantine/modals"
import { useEffect } from "react"
import { waitingModals } from "../ui/modals.ts"

export default function Modals() {
  // after the effects of the provider, which listens from then on
  return (
    <>
      <ModalsProvider>{null}</ModalsProvider>
      <Ready />
    </>
  )
}

function Ready() {
  useEffect(() => {
    waitingModals.setThere(true)
    return () => waitingModals.setThere(false)
  }, [])
  return null
}
