import { createHmac } from "node:crypto"
import { SmtpFailure } from "../failure.ts"
import { loginInClear, type Mechanism, noClearLogin, noLogin, type SmtpOptions } from "../options.ts"
import { type Reply, replyText } from "./replies.ts"

/** What a login needs of a connection. */
interface LoginConnection {
  readonly secure: boolean
  /** The mechanisms that the server offers. */
  readonly offered: readonly string[]
  /** Sends a line and resolves with its reply. Rejects with an `SmtpFailure`. */
  ask(line: string): Promise<Reply>
}

/** Logs in (RFC 4954). Rejects with an `SmtpFailure`. A password is sent unencrypted only where that is allowed. */
export async function logIn(options: SmtpOptions, connection: LoginConnection): Promise<void> {
  const { login } = options
  if (login === null) return
  if (!connection.secure && !loginInClear(options)) throw new SmtpFailure("setup", noClearLogin)
  const chosen = choose(options.auth, connection)
  if (chosen === undefined) throw new SmtpFailure("setup", noLogin)
  const reply = await conversations[chosen](login.user, login.password, (line) => connection.ask(line))
  if (reply.code !== 235)
    throw new SmtpFailure("reply", `the server refuses the login: ${replyText(reply)}`, reply.code)
}

/** The one the URL names, else the first that is offered: without TLS one that does not show the password. */
function choose(named: Mechanism | null, { secure, offered }: LoginConnection): Mechanism | undefined {
  if (named !== null) return named
  const preferred: readonly Mechanism[] = secure ? ["plain", "login", "cram-md5"] : ["cram-md5", "plain", "login"]
  return [...preferred, "xoauth2" as const].find((mechanism) => offered.includes(mechanism.toUpperCase()))
}

type Conversation = (user: string, password: string, ask: LoginConnection["ask"]) => Promise<Reply>

const base64 = (text: string): string => Buffer.from(text).toString("base64")
const wantsMore = ({ code }: Reply): boolean => code === 334

const conversations: Record<Mechanism, Conversation> = {
  /** RFC 4616 */
  plain: (user, password, ask) => ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`),
  async login(user, password, ask) {
    let reply = await ask("AUTH LOGIN")
    if (wantsMore(reply)) reply = await ask(base64(user))
    return wantsMore(reply) ? ask(base64(password)) : reply
  },
  /** RFC 2195 */
  async "cram-md5"(user, password, ask) {
    const reply = await ask("AUTH CRAM-MD5")
    if (!wantsMore(reply)) return reply
    const challenge = Buffer.from(reply.lines[0]?.slice(4) ?? "", "base64")
    return ask(base64(`${user} ${createHmac("md5", password).update(challenge).digest("hex")}`))
  },
  /** The password is an access token. A refusal comes as a challenge, which an empty line answers. */
  async xoauth2(user, password, ask) {
    const reply = await ask(`AUTH XOAUTH2 ${base64(`user=${user}\x01auth=Bearer ${password}\x01\x01`)}`)
    return wantsMore(reply) ? ask("") : reply
  },
}
