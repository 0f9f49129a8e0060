import { Resolver } from "node:dns"

export interface Server {
  readonly host: string
  readonly port: number
}

/** The configured servers, or those that the system currently uses, which change with the network. */
export const serversOf = (configured: readonly string[]): readonly Server[] =>
  (configured.length > 0 ? configured : new Resolver().getServers()).map(parseServer)

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`. */
export function parseServer(text: string): Server {
  const [, bracketed, behindBracket] = /^\[([^\]]+)\](?::(\d+))?$/.exec(text) ?? []
  const [, plain, behindColon] = /^([^:]+):(\d+)$/.exec(text) ?? []
  return { host: bracketed ?? plain ?? text, port: Number(behindBracket ?? behindColon ?? 53) }
}
