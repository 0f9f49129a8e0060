import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { readHtml } from "../../src/mail/html-text.ts"
import { clickTarget, withAdditions } from "../../src/mail/tracking.ts"
import { workedMs } from "../harness/processor-time.ts"

/** Every link of the web replaced by its place in a list, and all the addresses in that list. */
function tracked(html: string, additions: { footer?: string; image?: string } = {}) {
  const reading = readHtml(html)
  const found = [...new Set(reading.links.map(({ href }) => href).filter((href) => clickTarget(href) !== undefined))]
  const links = new Map(found.map((href, at) => [href, `#${at}`]))
  const tracking = { image: additions.image ?? "i", links }
  return { html: withAdditions(html, reading, { footer: additions.footer, tracking }), found }
}

const image = '<img src="i" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">\n'

describe("A link is replaced", () => {
  test.each<[string, string, string, string]>([
    ["in double quotes", '<a href="https://a.test/x">', '<a href="#0">', "https://a.test/x"],
    ["in single quotes", "<a href='https://a.test/x'>", "<a href='#0'>", "https://a.test/x"],
    ["without quotes", "<a href=https://a.test/x>", "<a href=#0>", "https://a.test/x"],
    ["without quotes, before others", "<a href=http://a.test id=b>", "<a href=#0 id=b>", "http://a.test"],
    ["in capitals", '<A CLASS=b HREF="HTTPS://a.test/X">', '<A CLASS=b HREF="#0">', "HTTPS://a.test/X"],
    ["with spaces around the sign", '<a href = "http://a.test">', '<a href = "#0">', "http://a.test"],
    ["over several lines", '<a\n  href\n=\n"http://a.test"\n>', '<a\n  href\n=\n"#0"\n>', "http://a.test"],
    ["with entities", '<a href="http://a.test/?x=1&amp;y=2">', '<a href="#0">', "http://a.test/?x=1&y=2"],
    ["with bare ampersands", '<a href="http://a.test/?x=1&y=2">', '<a href="#0">', "http://a.test/?x=1&y=2"],
    [
      "with a name like an entity",
      '<a href="http://a.test/?a=1&copy=2">',
      '<a href="#0">',
      "http://a.test/?a=1&copy=2",
    ],
    ["that begins with an entity", '<a href="&#104;ttp://a.test">', '<a href="#0">', "http://a.test"],
    ["with white space around it", '<a href="  http://a.test\n">', '<a href="#0">', "http://a.test"],
    ["with quotes of the other kind", `<a href="http://a.test/?q='x'">`, '<a href="#0">', "http://a.test/?q='x'"],
    [
      "of which the first of two counts",
      '<a href="http://a.test" href="http://b.test">',
      '<a href="#0" href="http://b.test">',
      "http://a.test",
    ],
    ["that closes itself", '<a href="http://a.test"/>', '<a href="#0"/>', "http://a.test"],
    [
      "behind a tag with > in a value",
      '<p title="a>b"><a href="http://a.test">',
      '<p title="a>b"><a href="#0">',
      "http://a.test",
    ],
    [
      "between conditional marks",
      '<![if !mso]><a href="http://a.test"><![endif]>',
      '<![if !mso]><a href="#0"><![endif]>',
      "http://a.test",
    ],
  ])("%s", (_, html, expected, address) => {
    expect(tracked(html)).toEqual({ html: expected + image, found: [address] })
  })

  test("wherever it is, equal links by equal addresses", () => {
    const { html, found } = tracked(
      '<a href="http://a.test">1</a><a href="http://b.test">2</a><a href=http://a.test>3</a>',
    )
    expect(html).toBe(`<a href="#0">1</a><a href="#1">2</a><a href=#0>3</a>${image}`)
    expect(found).toEqual(["http://a.test", "http://b.test"])
  })
})

test.each([
  ["mail", '<a href="mailto:a@a.test">'],
  ["telephone", '<a href="tel:+123">'],
  ["place in the page", '<a href="#top">'],
  ["nothing", '<a href="">'],
  ["no value", "<a href>"],
  ["no attribute", "<a>"],
  ["a script", '<a href="javascript:alert(1)">'],
  ["a path", '<a href="/x">'],
  ["no address", '<a href="http://">'],
  ["an invalid port", '<a href="http://a.test:x/">'],
  ["another element", '<link href="http://a.test"><area href="http://a.test"><abbr href="http://a.test">'],
  ["another attribute", '<a data-href="http://a.test" name="http://a.test">'],
  ["a picture", '<img src="http://a.test/a.png">'],
  ["a comment", '<!-- <a href="http://a.test"> -->'],
  ["a conditional comment", '<!--[if mso]><a href="http://a.test">x</a><![endif]-->'],
  ["a style", "<style>a { content: '<a href=\"http://a.test\">' }</style>"],
  ["a script's text", "<script>\"<a href='http://a.test'>\"</script>"],
  ["text of a field", '<textarea><a href="http://a.test"></textarea>'],
  ["a value", `<p title='<a href="http://a.test">'>`],
  ["text", 'a < b href="http://a.test"'],
])("what leads to %s is left alone", (_, html) => {
  expect(tracked(html)).toEqual({ html: html + image, found: [] })
})

describe("Footer and image are at the end of the content", () => {
  const additions = { footer: "<footer/>" }
  test.each<[string, string, string]>([
    ["before </body>", "<html><body>x</body></html>", "<html><body>x@</body></html>"],
    ["before the last </body>", "<body>x</body><body>y</body>", "<body>x</body><body>y@</body>"],
    ["before </BODY >", "<html>x</BODY ></html>", "<html>x@</BODY ></html>"],
    ["not inside a comment", "x</body><!-- </body> --></html>", "x@</body><!-- </body> --></html>"],
    ["not inside a script", '<body>x</body><script>"</body>"</script>', '<body>x@</body><script>"</body>"</script>'],
    ["before </html> when there is no other", "<html>x</html>\n", "<html>x@</html>\n"],
    ["behind everything else", "<p>x</p>", "<p>x</p>@"],
    ["in nothing", "", "@"],
    ["before a comment that is not closed", "<p>x</p><!-- y </body>", "<p>x</p>@<!-- y </body>"],
    ["before a comment that has just begun", "x<!--", "x@<!--"],
    ["before a style that is not closed", "x<style>p { }</body></html>", "x@<style>p { }</body></html>"],
    ["before a script that is not closed", "x<script>1", "x@<script>1"],
    ["before a tag that is not closed", 'x<a href="http://a.test', 'x@<a href="http://a.test'],
    ["before an end tag that is not closed", "<p>x</p y", "<p>x@</p y"],
    ["before a declaration that is not closed", "x<!doctype y", "x@<!doctype y"],
    ["behind a sign that begins no tag", "1 <", "1 <@"],
  ])("%s", (_, html, expected) => {
    expect(tracked(html, additions).html).toBe(expected.replace("@", `<footer/>${image}`))
  })

  test("with links before and behind it", () => {
    const html = '<a href="http://a.test"></body><a href="http://b.test"></html>'
    expect(tracked(html, additions).html).toBe(`<a href="#0"><footer/>${image}</body><a href="#1"></html>`)
  })

  test("and an untracked message has the footer alone, one without any is what it was", () => {
    const html = '<body><a href="http://a.test">x</a></body>'
    const reading = readHtml(html)
    expect(withAdditions(html, reading, { footer: "f" })).toBe('<body><a href="http://a.test">x</a>f</body>')
    expect(withAdditions(html, reading, {})).toBe(html)
  })

  test("and addresses cannot break out of their attributes", () => {
    const reading = readHtml("<a href='http://a.test'>x</a>")
    const tracking = { image: `"><b>`, links: new Map([["http://a.test", `'"><&`]]) }
    const html = withAdditions("<a href='http://a.test'>x</a>", reading, { tracking })
    expect(html).toStartWith("<a href='&#x27;&quot;&gt;&lt;&amp;'>x</a><img src=\"&quot;&gt;&lt;b&gt;\"")
  })
})

test("every other character of any text stays as it is", () => {
  const piece = fc.constantFrom(
    '<a href="http://a.test/1">',
    "<a href='https://b.test'>",
    "<A HREF=http://c.test>",
    "</a>",
    "<!--",
    "-->",
    "<p ",
    ">",
    '"',
    "'",
    "=",
    "&amp;",
    "&",
    "<",
    "</body>",
    "</html>",
    "<style>",
    "</style>",
    "\n",
    " ",
    "x",
    "é",
    "💌",
    "\0",
    "\r\n",
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const html = pieces.join("")
      const reading = readHtml(html)
      const same = new Map(reading.links.map(({ href, start, end }) => [href, [start, end] as const]))
      const links = new Map([...same].map(([href], at) => [href, `«${at}»`]))
      const out = withAdditions(html, reading, { footer: "⟪", tracking: { image: "i", links } })
      const back = reading.links.reduce(
        (text, { start, end }) => text.replace(/«\d+»/, () => html.slice(start, end)),
        out.replace(`⟪${image}`, ""),
      )
      expect(back).toBe(html)
      const footer = '<a href="http://footer.test">'
      expect(readHtml(withAdditions(html, reading, { footer })).links.map(({ href }) => href)).toContain(
        "http://footer.test",
      )
    }),
    { numRuns: 2_000 },
  )
})

test('a link that its sender marked with data-track="off" stays, another one to the same place does not', () => {
  const html =
    '<a data-track="off" href="http://a.test">1</a><a href="http://a.test">2</a><a href="http://b.test" DATA-TRACK=OFF>'
  const reading = readHtml(html)
  const links = new Map(reading.links.map(({ href }, at) => [href, `#${at}`]))
  expect(withAdditions(html, reading, { tracking: { image: "i", links } })).toBe(
    `<a data-track="off" href="http://a.test">1</a><a href="#1">2</a><a href="http://b.test" DATA-TRACK=OFF>${image}`,
  )
})

test("links are read to the end of HTML of any length, text is not", () => {
  const html = `${"<p>word</p>".repeat(200_000)}<a href="http://a.test">late</a></body>`
  const { links, end, text } = readHtml(html)
  expect(links).toEqual([{ href: "http://a.test", start: html.indexOf("http"), end: html.indexOf('">late') }])
  expect(html.slice(end)).toBe("</body>")
  expect(text).not.toContain("late")
})

test("of a great many links those at the beginning are read", () => {
  const { links } = readHtml('<a href="http://a.test">x</a>'.repeat(20_000))
  expect(links).toHaveLength(10_000)
})

describe("A click leads", () => {
  test.each<[string, string, string]>([
    ["to the address as it was written", "https://a.test", "https://a.test"],
    ["with its query and its fragment", "https://a.test/?a=1&b=%20#c", "https://a.test/?a=1&b=%20#c"],
    ["without line breaks in it", "https://a.test/\r\nSet-Cookie:x", "https://a.test/Set-Cookie:x"],
    ["with white space encoded", "https://a.test/a b", "https://a.test/a%20b"],
    ["with letters of any language encoded", "https://a.test/ä?ö", "https://a.test/%C3%A4?%C3%B6"],
    ["to another host, also without slashes", "http:a.test/b", "http://a.test/b"],
    ["to the ASCII form of a name", "https://bücher.test/", "https://xn--bcher-kva.test/"],
  ])("%s", (_, href, expected) => {
    expect(clickTarget(href)).toBe(expected)
    expect(new Response(null, { headers: { Location: expected } }).headers.get("Location")).toBe(expected)
  })

  test.each(["ftp://a.test", "mailto:a@b.test", "//a.test", "http://", "x", "", `https://a.test/${"x".repeat(5_000)}`])(
    "nowhere for %s",
    (href) => {
      expect(clickTarget(href)).toBeUndefined()
    },
  )

  test("nowhere, at once, for hosts with thousands of accents", () => {
    const accents = `${"\u0301".repeat(1_900)}${"\u0323".repeat(1_900)}`
    const before = workedMs()
    for (let at = 0; at < 100; at++)
      for (const scheme of ["https://", "http:", "https:\t\\\\"])
        expect(clickTarget(`${scheme}a${accents}${at}.test/`)).toBeUndefined()
    expect(workedMs() - before).toBeLessThan(1_500)
  })
})
