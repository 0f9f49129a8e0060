import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"
import { onData } from "./settings.ts"

export const resume = defineCommand({
  name: "resume",
  summary: "Let a server send after a restore or an interrupted update",
  about:
    "After an update that was interrupted, complete that first: mailstead update. A restored server sends the mail that " +
    "was waiting when the backup was taken, even if the server that was backed up has sent it since: " +
    "cancel the campaigns of which that is so first. A running server starts sending at once.",
  options: {},
  async run(io, args) {
    const wasPaused = await onData(io, args, ({ backups }) => backups.resumeSending())
    answer(io, args, { resumed: wasPaused }, wasPaused ? "Sending is resumed." : "Sending was not paused.")
    return 0
  },
})
