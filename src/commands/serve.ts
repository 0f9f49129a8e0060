import { defineCommand } from "./args.ts"
import { runServer } from "./running.ts"
import { configOf } from "./settings.ts"

export const serve = defineCommand({
  name: "serve",
  summary: "Run the server",
  options: {
    host: { value: "HOST", help: "Address to listen on (default 127.0.0.1)", setting: "http.host" },
    port: { value: "PORT", help: "Port to listen on, 0 picks one (default 3000)", setting: "http.port" },
  },
  async run(io, args) {
    const config = await configOf(io, args)
    return runServer(io, config, ({ url, port }) => {
      const address = `http://${config.http.host}:${port}`
      const lines = [
        `Posthorn is listening on ${address}`,
        ...(url === address ? [] : [`Public address: ${url}`]),
        ...(config.mail.url.length > 0
          ? []
          : ["No mail.url is set: mail is accepted and captured, none leaves this machine."]),
      ]
      io.stdout(`${lines.join("\n")}\n`)
    })
  },
})
