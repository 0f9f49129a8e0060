import { SMTPServer } from "smtp-server"

/** The bare limit of the intake: the package with a handler that discards everything. */
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, done) {
    stream.on("data", () => {})
    stream.on("end", done)
  },
})
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address()
  console.log(`listening on ${typeof address === "object" && address ? address.port : 0}`)
})
