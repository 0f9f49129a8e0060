import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { type FirstView, firstView, pagesOfProject } from "./first-view.ts"
import { furnish } from "./furnish.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

/** What a page may transfer at its first view. */
const mostKilobytes = 250

/** By a text that only their scripts have. */
const loadedLater = {
  "the code editor": "cm-editor",
  "the chart": "The first 48 hours",
  "the palette": "Command palette",
  "the import of contacts": "Drop a CSV file here",
  "the rules of a segment": "Choose a field",
  "the canvas of a workflow": "react-flow",
}

/** Pages that load a script once they are there, and what it has. */
const inThreeSteps = { "/analytics": "the curves", "/segments/new": "the page, which is below another" }

/** The frame of a preview runs no scripts, the measuring one included. */
const inFrames = /Blocked script execution in /

const loadedBy = ({ code }: FirstView): string[] =>
  Object.entries(loadedLater).flatMap(([name, text]) => (code.includes(text) ? [name] : []))

/** The canvas of a workflow is the page, and a library of its own. */
const mostOfWorkflow = 360

const tooLarge = ({ path, kilobytes }: FirstView) =>
  kilobytes >= (/^\/workflows\/./.test(path) ? mostOfWorkflow : mostKilobytes)

/** A part of the pages each, so that a test ends in time on a slow machine. */
const parts = [0, 1, 2].map((part) => [part + 1, pagesOfProject.filter((_, at) => at % 3 === part)] as const)

test.each(parts)(
  "the first view of each page transfers less than 250 KB, in two steps, without the code editor, charts and dialogs (part %d)",
  (_, paths) =>
    visit({ path: "/app/inbox", alone: true, allowed: inFrames }, async ({ page, server }) => {
      await callsTo(server).addContacts(60)
      await server.sendMail({ subject: "One" })
      const found: FirstView[] = []
      for (const path of paths) found.push(await firstView(page, server.url, path))
      const loaded = found.flatMap((view) => loadedBy(view).map((name) => ({ path: view.path, name })))
      expect(loaded).toEqual([])
      expect(found.filter(tooLarge).map(({ path, kilobytes }) => ({ path, kilobytes }))).toEqual([])
      // The browser finds the scripts in the document, so that only the page's data waits for what came before it.
      expect(found.flatMap(({ path, late }) => (path in inThreeSteps ? [] : late))).toEqual([])
    }),
)

test.each([0, 1])("so does the page of each kind of record (part %#)", (part) =>
  visit({ path: "/app/inbox", alone: true, allowed: inFrames }, async ({ page, server }) => {
    const paths = Object.values(await furnish(server)).filter((_, at) => at % 2 === part)
    const found: FirstView[] = []
    for (const path of paths) found.push(await firstView(page, server.url, path))
    expect(found.filter(tooLarge).map(({ path, kilobytes }) => ({ path, kilobytes }))).toEqual([])
    expect(found.filter((view) => loadedBy(view).includes("the code editor"))).toEqual([])
  }),
)

test("the code editor comes after its page", () =>
  visit({ path: null, alone: true, allowed: inFrames }, async ({ page, server }) => {
    const { id } = await callsTo(server).addTemplate({})
    const editor = await firstView(page, server.url, `/templates/${id}`, { last: ".cm-editor" })
    expect(loadedBy(editor)).toEqual(["the code editor"])
  }))
