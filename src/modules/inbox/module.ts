import type { Engine } from "../../engine.ts"
import {
  type CursorPage,
  countIn,
  cursorPage,
  decodeCursor,
  defaultLimit,
  encodeCursor,
  given,
  maxLimit,
  type Query,
  requiredChoiceIn,
  searchIn,
} from "../../http/page.ts"
import type { MessageParser } from "../../inbound/parse-thread.ts"
import type { Module } from "../../module.ts"
import { deleteSome } from "../../store/delete-some.ts"
import { type Emails, emailStatuses, presentFullEmail } from "../emails/index.ts"
import { correctReadUpTo } from "./clock-correction.ts"
import { sources } from "./filter.ts"
import { createInboxList, findNeighbours, listRows } from "./list.ts"
import { createMarks, eraseInbox, findReadUpTo } from "./marks.ts"
import { promotedSubscriber } from "./promoted.ts"
import { parseSearch, type Term } from "./query.ts"
import { releasedSubscriber } from "./released.ts"
import { inboxRoutes } from "./routes.ts"
import { deleteTexts } from "./sweep.ts"
import { inboxTextTable } from "./table.ts"
import { createTexts } from "./text.ts"
import { presentFacts, presentRow } from "./wire.ts"

const order = "inbox.desc"

interface InboxDeps {
  readonly emails: Emails
  readonly parser: MessageParser
}

/** The inbox: the mail of a project with read marks and search (contract A4.6). */
export function createInbox(engine: Pick<Engine, "store" | "jobs" | "bus">, { emails, parser }: InboxDeps) {
  const { store } = engine
  const page = createInboxList(store)
  const texts = createTexts(engine, parser)
  const actions = {
    ...createMarks(engine),

    async list(projectId: string, query: Query): Promise<CursorPage<ReturnType<typeof presentRow>>> {
      const status = requiredChoiceIn("status", given(query.status), emailStatuses)
      const source = requiredChoiceIn("source", given(query.source), sources)
      const searched = parseSearch(searchIn(query.search) ?? "")
      const terms: Term[] = status ? [...searched, { kind: "status", status }] : searched
      const limit = countIn(query.limit, defaultLimit, maxLimit)
      const after = decodeCursor(order, query.cursor, { key: "string" })?.id
      const readUpTo = await findReadUpTo(store.read, projectId)
      const { rows, total } = await page({ projectId, readUpTo, source, terms }, after, limit + 1)
      const cursorOf = ({ email: { id } }: (typeof rows)[number]) => encodeCursor(order, { key: id, id })
      return cursorPage(rows, { limit, total, cursorOf, present: presentRow })
    },

    /** A message with its content. A record for another recipient of the same message has all of its recipients. */
    async get(projectId: string, id: string) {
      const email = await emails.get(projectId, id)
      const lead = email.leadId ?? email.id
      const readUpTo = await findReadUpTo(store.read, projectId)
      const [row] = await listRows(store.read, { projectId, readUpTo }, [lead], [])
      const facts = presentFacts(
        row ?? { email, unread: false, snippet: null, attachmentCount: 0, recipients: [], campaign: null },
      )
      const content = await emails.contentOf(email)
      const textOnly = content.isTextOnly ?? false
      const beside = await findNeighbours(store.read, projectId, email)
      return { ...presentFullEmail(email, content), ...facts, ...beside, textOnly }
    },
  }
  return {
    name: "inbox",
    actions,
    routes: (protect) => inboxRoutes(actions, protect),
    subscribers: [texts.subscriber, releasedSubscriber(engine.bus), promotedSubscriber(engine.bus, texts.passText)],
    handlers: texts.handlers,
    clockCorrections: [correctReadUpTo],
    sweeps: [{ name: "inbox text", often: "sandbox", last: true, run: (each) => deleteTexts(store, each) }],
    erase: eraseInbox,
    eraseSome: (unit, projectId, limit) => deleteSome(unit, inboxTextTable, projectId, limit),
  } satisfies Module
}
