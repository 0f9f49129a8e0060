import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import net from "node:net"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { sqliteTable, text } from "drizzle-orm/sqlite-core"
import Handlebars from "handlebars"
import { MailParser } from "mailparser"
import addressparser from "nodemailer/lib/addressparser"
import * as base64 from "nodemailer/lib/base64"
import * as mimeFuncs from "nodemailer/lib/mime-funcs"
import MimeNode from "nodemailer/lib/mime-node"
import NodemailerConnection from "nodemailer/lib/smtp-connection"
import { SMTPServer } from "smtp-server"
import { SMTPConnection } from "smtp-server/lib/smtp-connection.js"
import { SMTPStream } from "smtp-server/lib/smtp-stream.js"

/** One sentence for each name that a package no longer has, for the person who upgrades it. */
function missing(owner: string, has: unknown, names: readonly string[], usedBy: string): string[] {
  return names
    .filter((name) => !(name in Object(has)))
    .map((name) => `${owner} has no ${name} any more; ${usedBy} depends on it.`)
}

describe("members of packages that are not part of their documented interface", () => {
  test("smtp-server: the server makes connections of our own class", () => {
    const server = new SMTPServer({ disabledCommands: ["STARTTLS"] })
    const names = ["connect", "connections", "_onError", "server", "options"]
    expect(missing("SMTPServer", server, names, "src/inbound/listener.ts")).toEqual([])
  })

  test("smtp-server: a connection greets, reads DATA and answers in our own way", () => {
    const server = new SMTPServer({ disabledCommands: ["STARTTLS"] })
    const connection = new SMTPConnection(server, new net.Socket(), null)
    const overridden = ["init", "send", "close", "upgrade", "handler_DATA", "_createParser", "_onClose"]
    const called = ["connectionReady", "_setListeners", "_onCommand", "_resetSession"]
    const fields = ["name", "session", "_server", "_socket", "_parser", "_handlerPending", "_transactionCounter"]
    const names = [...overridden, ...called, ...fields, "_unrecognizedCommands"]
    expect(missing("SMTPConnection", connection, names, "src/inbound/conversation.ts")).toEqual([])
  })

  test("smtp-server: a stream splits input into lines and messages", () => {
    const names = ["_write", "_feedDataStream", "_commandTooLong", "_flushData", "_dataMode", "isClosed", "oncommand"]
    const stream = new SMTPStream({ maxCommandLength: 100 })
    expect(missing("SMTPStream", stream, names, "src/inbound/session-stream.ts")).toEqual([])
  })

  test("nodemailer: the encoders of headers and bodies", () => {
    const functions = ["encodeWord", "encodeWords", "foldLines", "quoteString", "buildHeaderValue"]
    expect(missing("nodemailer/lib/mime-funcs", mimeFuncs, functions, "src/mail/compose")).toEqual([])
    expect(missing("nodemailer/lib/base64", base64, ["encode", "wrap"], "src/mail/compose/parts.ts")).toEqual([])
    const node = new MimeNode("text/plain", { filename: "a" })
    expect(missing("MimeNode", node, ["setHeader", "buildHeaders"], "src/mail/compose/parts.ts")).toEqual([])
    expect(missing("MimeNode", MimeNode, ["encodeHeaderValue"], "src/mail/compose/encode-header.ts")).toEqual([])
    expect(addressparser("A <a@b.test>", { flatten: true })).toEqual([{ name: "A", address: "a@b.test" }])
  })

  test("nodemailer: the properties of a connection", () => {
    const connection = new NodemailerConnection({ host: "127.0.0.1" })
    const names = ["destroyed", "secure", "allowsAuth", "connect", "login", "send", "reset", "quit", "close"]
    expect(missing("nodemailer's SMTPConnection", connection, names, "plugins/smtp/nodemailer/session.ts")).toEqual([])
  })

  test("mailparser: the way to show text parts that lie between HTML parts, the tree of the parts, and the text made of them", () => {
    const names = ["textToHtml", "createNode", "getTextContent", "tree"]
    expect(missing("MailParser", new MailParser(), names, "src/inbound/parse.ts")).toEqual([])
  })

  test("drizzle-orm: the statement of a prepared query, its parameters and the columns of its rows", () => {
    const table = sqliteTable("thing", { name: text("name") })
    const client = new Database(":memory:")
    client.run("CREATE TABLE thing (name TEXT)")
    const query = drizzle(client).select().from(table).prepare()
    const names = ["executeMethod", "query", "stmt", "logger", "fields", "customResultMapper"]
    expect(missing("A prepared query", query, names, "src/store/quick-query.ts")).toEqual([])
    client.close()
  })

  test("handlebars: where the lexer stopped", () => {
    expect(() => Handlebars.parse("{{#if}")).toThrow()
    const { lexer } = (Handlebars as unknown as { Parser: { lexer: { yylloc?: unknown } } }).Parser
    const names = ["first_line", "first_column", "last_line", "last_column"]
    expect(missing("Handlebars.Parser.lexer.yylloc", lexer.yylloc, names, "src/mail/render/parse.ts")).toEqual([])
  })

  test("a missing member is named with the file that depends on it", () => {
    expect(missing("SMTPStream", {}, ["_dataMode"], "src/inbound/session-stream.ts")).toEqual([
      "SMTPStream has no _dataMode any more; src/inbound/session-stream.ts depends on it.",
    ])
  })
})
