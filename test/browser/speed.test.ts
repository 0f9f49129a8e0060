import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { type FirstView, firstView, pagesOfProject } from "./first-view.ts"
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
const inFrames = /Blocked script execution in 'about:blank'/

const loadedBy = ({ code }: FirstView): string[] =>
  Object.entries(loadedLater).flatMap(([name, text]) => (code.includes(text) ? [name] : []))

test("the first view of each page transfers less than 250 KB, in two steps, without the code editor, charts and dialogs", () =>
  visit({ path: "/app/inbox", alone: true, allowed: inFrames }, async ({ page, server }) => {
    const { addTemplate, addContacts } = callsTo(server)
    await addContacts(60)
    const { id } = await addTemplate({})
    await server.sendMail({ subject: "One" })
    const views: FirstView[] = []
    for (const path of pagesOfProject) views.push(await firstView(page, server.url, path))
    const found = views.map((view) => ({ ...view, code: undefined, loaded: loadedBy(view) }))
    console.table(found.map(({ path, kilobytes }) => ({ path, kilobytes })))
    expect(found.filter(({ kilobytes, loaded }) => kilobytes >= mostKilobytes || loaded.length > 0)).toEqual([])
    // The browser finds the scripts in the document, so that only the page's data waits for what came before it.
    expect(found.flatMap(({ path, late }) => (path in inThreeSteps ? [] : late))).toEqual([])
    // The code editor comes after the page that it is in, so that both are seen soon; it would be noticed above.
    const template = await firstView(page, server.url, `/templates/${id}`)
    expect(template.kilobytes).toBeLessThanOrEqual(mostKilobytes)
    expect(loadedBy(template)).toEqual([])
    const editor = await firstView(page, server.url, `/templates/${id}`, { last: ".cm-editor" })
    expect(loadedBy(editor)).toEqual(["the code editor"])
  }))
