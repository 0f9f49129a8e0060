import { randomBytes } from "node:crypto"
import { parseAddress } from "../kernel/email-address.ts"
import { presentUser } from "../modules/accounts/index.ts"
import { answer } from "./answer.ts"
import { defineCommand, type Io, pipedLine, UsageError } from "./args.ts"
import { dashboardOf } from "./health.ts"
import { onData } from "./settings.ts"

const passwordOption = {
  "password-stdin": { help: "Read the password from standard input instead of generating one" },
} as const

/** 144 bits. */
const newPassword = (): string => randomBytes(18).toString("base64url")

const passwordFor = (io: Io, options: { readonly "password-stdin": boolean }): Promise<string> | string =>
  options["password-stdin"] ? pipedLine(io) : newPassword()

function addressOf(given: string): string {
  const email = parseAddress(given)
  if (email === undefined) throw new UsageError(`"${given}" is not an email address`)
  return email
}

/** A password that was piped in is not shown to people again. */
const textOf = (what: string, password: string, wasPiped: boolean): string =>
  wasPiped ? what : `${what}\n  Password  ${password}`

export const userCreate = defineCommand({
  name: "user create",
  summary: "Create an account; its address counts as confirmed",
  about: "The first account owns the instance and the projects that the command line made before it.",
  words: ["EMAIL"],
  options: passwordOption,
  async run(io, args) {
    const email = addressOf(args.words.EMAIL)
    const password = await passwordFor(io, args.options)
    const { id } = await onData(io, args, ({ accounts }) => accounts.createUser(email, password), { makes: true })
    answer(
      io,
      args,
      { id, email, password },
      textOf(`Account ${email} (${id})`, password, args.options["password-stdin"]),
    )
    return 0
  },
})

export const userList = defineCommand({
  name: "user list",
  summary: "List the accounts",
  options: {},
  async run(io, args) {
    const list = (await onData(io, args, ({ accounts }) => accounts.users(), { reads: true })).map(presentUser)
    const lines = list.map(
      ({ id, email, type, emailVerified }) =>
        `${id}  ${email}${type === "OWNER" ? " (owner)" : ""}${emailVerified ? "" : " (not confirmed)"}`,
    )
    answer(io, args, list, lines.join("\n") || "No accounts yet: mailstead user create EMAIL, or mailstead setup-link")
    return 0
  },
})

export const userPassword = defineCommand({
  name: "user password",
  summary: "Set a new password and end all sessions of an account",
  words: ["EMAIL"],
  options: passwordOption,
  async run(io, args) {
    const email = addressOf(args.words.EMAIL)
    const password = await passwordFor(io, args.options)
    const { id } = await onData(io, args, ({ accounts }) => accounts.setPasswordOf(email, password))
    const what = `${email} has a new password and is signed out everywhere.`
    answer(io, args, { id, email, password }, textOf(what, password, args.options["password-stdin"]))
    return 0
  },
})

export const setupLink = defineCommand({
  name: "setup-link",
  summary: "Print a new link for creating the first account",
  about: "The link works once and for 60 minutes; the one before it stops working.",
  options: {},
  async run(io, args) {
    const url = await onData(io, args, async ({ accounts }, { data }) => {
      const made = await accounts.setupLink()
      // A running server knows its address, which is not in the configuration when it was given on the command line.
      const dashboard = made && (await dashboardOf(data))
      return made && dashboard ? dashboard + made.slice(made.indexOf("/setup?")) : made
    })
    if (url === undefined) throw new Error("There is an account already. `mailstead user create` makes another.")
    answer(io, args, { url }, url)
    return 0
  },
})
