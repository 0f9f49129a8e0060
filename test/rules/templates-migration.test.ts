import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const at = migrations.findIndex(({ name }) => name === "0002_templates")

test("existing templates are unchanged, can be searched, and keep their emails", () => {
  const path = join(folder(), "mailstead.db")
  const client = new Database(path)
  client.run("PRAGMA foreign_keys = ON")
  migrate(client, path, 1, migrations.slice(0, at))
  client.run(`INSERT INTO project (id, name, public_key, secret_hash, secret_sealed, created_at, updated_at)
    VALUES ('p', 'Acme', 'pk', 'h', 's', 1, 1)`)
  client.run(`INSERT INTO template (id, project_id, name, description, subject, body, from_address, type, created_at, updated_at)
    VALUES ('t', 'p', 'Welcome', NULL, 'Hi there', 'the body', 'hi@acme.test', 'MARKETING', 2, 3)`)
  client.run(`INSERT INTO email (id, project_id, template_id, locale, to_address, from_address, subject, type, source_type,
    status, message_id, lane, due_at, created_at, updated_at)
    VALUES ('e', 'p', 't', 'en', 'a@b.cd', 'hi@acme.test', 'Hi', 'MARKETING', 'TRANSACTIONAL', 'SENT', 'm', 2, 1, 1, 1)`)

  migrate(client, path, 2)

  expect(client.query("SELECT * FROM template").get()).toEqual({
    id: "t",
    project_id: "p",
    name: "Welcome",
    description: null,
    subject: "Hi there",
    body: "the body",
    text: null,
    from_address: "hi@acme.test",
    from_name: null,
    reply_to: null,
    type: "MARKETING",
    created_at: 2,
    updated_at: 3,
    search_text: "WELCOME\nHI THERE\n",
  })
  expect(client.query("SELECT template_id FROM email").values()).toEqual([["t"]])
  client.run("DELETE FROM template")
  expect(client.query("SELECT template_id FROM email").values()).toEqual([[null]])
  client.close()
})
