import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { createHtmlReader, readHtml } from "../../src/mail/html-text.ts"
import { workedMs } from "../harness/processor-time.ts"

const pieces = fc.constantFrom(
  "<p>",
  "</p>",
  "<div>",
  "</div>",
  "<td>",
  "</td>",
  "<table><tr>",
  "</tr></table>",
  "<ul>",
  "<li>",
  "</li>",
  "</ul>",
  "<h1>",
  "</h1>",
  "<br>",
  '<a href="http://a.test/1">',
  "<A HREF='https://b.test'>",
  "<a href=http://c.test>",
  "</a>",
  '<img alt="x &amp; y">',
  "<pre>",
  "</pre>",
  "<head>",
  "</head>",
  "<title>",
  "</title>",
  "<style>",
  "</style>",
  "<script>",
  "</script>",
  "<textarea>",
  "</textarea>",
  "<script/>",
  "<p/>",
  "<!--",
  "-->",
  "<!--[if mso]>",
  "<![endif]-->",
  "<![CDATA[",
  "]]>",
  "<?x",
  "<!doctype html>",
  "<html><body>",
  "</body>",
  "</html>",
  '<p title="',
  "<p title='",
  '"',
  "'",
  ">",
  "<",
  "</",
  "/>",
  "=",
  "word",
  "http://a.test/1",
  "two words",
  " ",
  "\n",
  "\t",
  "&nbsp;",
  "&amp;",
  "&",
  "&#8203;",
  "\u200b",
  "é",
  "💌",
  "\0",
  "\r\n",
)

test("the cached reader gives the same result as the plain one for any input", () => {
  fc.assert(
    fc.property(fc.array(fc.array(pieces, { maxLength: 40 }), { minLength: 1, maxLength: 5 }), (texts) => {
      const read = createHtmlReader({ shortest: 1 })
      for (const text of [...texts, ...texts]) {
        const html = text.join("")
        expect(read(html)).toEqual(readHtml(html))
      }
    }),
    { numRuns: 3_000 },
  )
})

describe("messages of one content", () => {
  const row = `<tr><td style="padding:8px"><p>An item with some <b>words</b> in it.</p></td></tr>\n`
  const message = (name: string) =>
    `<!doctype html><html><head><title>News</title><style>p { margin: 0 } /* </p> */</style></head><body>
<p>Hello ${name}</p><!--[if mso]><table><tr><td></td></tr></table><![endif]-->
<table>${row.repeat(200)}</table><p><a href="https://acme.test/?to=${name}">Yours</a></p></body></html>`

  test.each([
    ["Ada"],
    ["  Bo\n Li "],
    ["<b>Cy</b>"],
    ["</p>"],
    ["<!--"],
    ["-->"],
    ['"'],
    ["&lt;"],
    [""],
    ["x".repeat(5_000)],
  ])("give the same result as without the cache: %j", (name) => {
    const read = createHtmlReader()
    read(message("Somebody"))
    expect(read(message(name))).toEqual(readHtml(message(name)))
    expect(read(message("Somebody"))).toEqual(readHtml(message("Somebody")))
  })

  test("cost a fraction of reading without the cache", () => {
    const read = createHtmlReader()
    const time = (work: (html: string) => unknown): number => {
      const runs = Array.from({ length: 7 }, (_, run) => {
        const begun = workedMs()
        for (let n = 0; n < 20; n++) work(message(`Reader ${run} ${n}`))
        return workedMs() - begun
      })
      return Math.min(...runs)
    }
    expect(time(read)).toBeLessThan(time(readHtml) / 2)
  })
})

test.each([
  ["unfinished comments", "<!--</p>"],
  ["unfinished values", '<p title="</p>'],
  ["styles that never end", "<style></p>"],
  ["ends of nothing", "</p>"],
  ["open links", '<a href="http://a.test">x</p>'],
  ["lists in lists", "<ul><li>x</p>"],
])("hostile HTML takes bounded time: %s", (_, piece) => {
  const html = piece.repeat(100_000).slice(0, 990_000)
  const read = createHtmlReader()
  const begun = workedMs()
  expect(read(html).text).toBe(readHtml(html).text)
  expect(workedMs() - begun).toBeLessThan(4_000)
})

test("hostile HTML takes bounded time: much text in a link with a long address", () => {
  const html = `<a href="http://a.test/${"x".repeat(400_000)}">${"<p>Some words.</p>".repeat(30_000)}`
  const worked = (read: (html: string) => unknown): number => {
    const begun = workedMs()
    read(html)
    return workedMs() - begun
  }
  expect(worked(createHtmlReader())).toBeLessThan(3 * worked(readHtml) + 200)
})
