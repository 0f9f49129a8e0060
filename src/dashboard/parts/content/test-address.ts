import { useLocalStorage } from "@mantine/hooks"

/** The address that the last test from this browser went to; empty before the first. */
export const useTestAddress = () =>
  useLocalStorage({ key: "mailstead.test-address", defaultValue: "", getInitialValueInEffect: false })
