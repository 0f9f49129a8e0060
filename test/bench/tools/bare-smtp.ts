import type net from "node:net"
import { SMTPServer } from "smtp-server"
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js"

/** Greets at once. The package waits 100 ms first, to catch clients that send before the greeting. */
class PromptConnection extends SMTPConnection {
  override init(): void {
    this._setListeners(() => this.connectionReady())
  }
}

class PromptServer extends SMTPServer {
  override connect(socket: net.Socket, options?: SMTPConnectionOptions | null): void {
    const connection = new PromptConnection(this, socket, options)
    this.connections.add(connection)
    connection.on("error", (error) => this._onError(error))
    connection.init()
  }
}

/** The bare limit of the intake: the package with a handler that discards everything. */
const server = new PromptServer({
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
