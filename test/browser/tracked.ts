import type { TestServer } from "./sandbox-server.ts"

/** The addresses of the image and of the tracked links in a mail as it was sent. */
export async function trackedIn(server: TestServer, email: string) {
  const answer = await fetch(`${server.url}/emails/${email}/raw`, {
    headers: { Authorization: `Bearer ${server.projects[0]?.secret}` },
  })
  const text = (await answer.text()).replace(/=\r?\n/g, "").replaceAll("=3D", "=")
  const found = (kind: string) =>
    [...text.matchAll(new RegExp(`"(http[^"]+/t/${kind}/[^"]+)"`, "g"))].map(([, url]) => url ?? "")
  return { image: found("o")[0] ?? "", links: found("c") }
}
