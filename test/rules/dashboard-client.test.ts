import { expect, test } from "bun:test"
import { onlineManager, QueryObserver } from "@tanstack/react-query"
import { createClient } from "../../src/dashboard/client.ts"

test("what a page shows is read again once the network is back", async () => {
  const client = createClient()
  client.mount()
  let reads = 0
  const observer = new QueryObserver(client, { queryKey: ["contacts"], queryFn: () => ++reads })
  const leave = observer.subscribe(() => {})
  try {
    await observer.refetch()
    onlineManager.setOnline(false)
    onlineManager.setOnline(true)
    await client.getQueryCache().find({ queryKey: ["contacts"] })?.promise
    expect(reads).toBe(2)
  } finally {
    leave()
    client.unmount()
  }
})
