import { describe, expect, test } from "bun:test"
import { htmlReadLimit, textFromHtml } from "../../src/mail/html-text.ts"
import { workedMs } from "../harness/processor-time.ts"

describe("the text of an HTML body", () => {
  test.each([
    ["plain words", "Hello Ada", "Hello Ada"],
    ["nothing", "", ""],
    ["paragraphs", "<p>One</p><p>Two</p>", "One\n\nTwo"],
    ["line breaks", "One<br>Two<br/>Three", "One\nTwo\nThree"],
    ["an empty line by two breaks", "One<br><br><br>Two", "One\n\nTwo"],
    ["blocks", "<div>One</div><div>Two</div>", "One\nTwo"],
    ["nested blocks", "<div><div><p>One</p></div></div><h1>Two</h1>", "One\n\nTwo"],
    ["inline elements", "One <b>two</b><i>three</i> <span> four </span> five", "One twothree four five"],
    ["white space", "  One \n\t two\u00a0 three &nbsp; four  ", "One two three four"],
    [
      "entities",
      "Fish &amp; chips &lt;3 &eacute; &#8364; &#x1F680; &copy &unknown;",
      "Fish & chips <3 é € 🚀 © &unknown;",
    ],
    ["bare signs", "1 < 2 & 3 > 2", "1 < 2 & 3 > 2"],
    ["the head", "<html><head><title>T</title><style>p{}</style></head><body>Hi</body></html>", "Hi"],
    ["a head without an end", "<html><head><title>T</title><meta name=a><body>Hi", "Hi"],
    ["style and script in the body", "a<style>b{c:d}</style><script>if (1 < 2) '</p>'</script>e", "ae"],
    ["a title in the body", "<title>No</title>Yes", "Yes"],
    ["comments", "a<!-- <p>no</p> --><!--[if mso]><p>no</p><![endif]-->b<!doctype html>", "ab"],
    ["a list", "<ul><li>One</li><li>Two</li></ul>after", "- One\n- Two\n\nafter"],
    ["an ordered list", "before<ol><li>One<li>Two</ol>", "before\n\n- One\n- Two"],
    ["a list in a list", "<ul><li>One<ul><li>Deep</li></ul></li><li>Two</li></ul>", "- One\n  - Deep\n- Two"],
    ["blocks in a list item", "<ul><li><p>One</p></li><li><div>Two</div></li></ul>", "- One\n\n- Two"],
    ["an empty list item", "<ul><li></li></ul>after", "after"],
    ["a table", "<table><tr><td>A</td><td>B</td></tr><tr><td>C</td><th>D</th></tr></table>", "A B\nC D"],
    ["a link", 'See <a href="https://a.test/?x=1&amp;y=2">the page</a>.', "See the page (https://a.test/?x=1&y=2)."],
    ["a link that is its own text", '<a href="https://a.test/">https://a.test/</a>', "https://a.test/"],
    [
      "a link whose text is nearly the URL",
      '<a href="https://a.test/b">https://a.test/</a>',
      "https://a.test/ (https://a.test/b)",
    ],
    ["a mail link", '<a href="mailto:a@b.test">a@b.test</a>', "a@b.test"],
    ["a link without text", '<a href="https://a.test"><img src="x.png"></a>', "https://a.test"],
    ["a link around a picture", '<a href="https://a.test"><img src="x.png" alt="Shop"></a>', "Shop (https://a.test)"],
    [
      "a link around blocks",
      '<a href="https://a.test"><div>One</div><div>Two</div></a>three',
      "One\nTwo (https://a.test)\nthree",
    ],
    ["a link that is never closed", '<a href="https://a.test">One', "One (https://a.test)"],
    [
      "links without an end between them",
      '<a href="https://a.test">A<a href="https://b.test">B</a>',
      "A (https://a.test) B (https://b.test)",
    ],
    [
      "links of pictures alone, side by side",
      '<a href="https://a.test/x"><img src="x"></a><a href="https://b.test/y"><img src="y"></a>',
      "https://a.test/x https://b.test/y",
    ],
    ["a bare address before a word", '<a href="https://a.test/x"><img></a>now', "https://a.test/x now"],
    ["a word before a bare address", 'now<a href="https://a.test/x"></a>', "now https://a.test/x"],
    ["a bare address before a sign", '<a href="https://a.test/x">https://a.test/x</a>.', "https://a.test/x ."],
    ["a link before a word", '<a href="https://a.test">A</a>b', "A (https://a.test) b"],
    ["a link before a sign", '<a href="https://a.test">A</a>.', "A (https://a.test)."],
    ["an address at the end of a line", '<a href="https://a.test/x"></a><br>b', "https://a.test/x\nb"],
    ["pictures side by side", '<img alt="One"><img alt="Two">three<img alt="Four">.', "One Two three Four."],
    ["an anchor", '<a name="top">Top</a> <a href="#top">up</a> <a href="">x</a>', "Top up x"],
    ["a script link", '<a href="javascript:alert(1)">run</a>', "run"],
    ["attributes in any form", "<A HREF=https://a.test CLASS='b'>c</A>", "c (https://a.test)"],
    ["a picture", '<p>a <img alt="Fish &amp; chips" src="x"> b <img src="y"> c</p>', "a Fish & chips b c"],
    ["preformatted text", "<pre>a\n  b\n</pre>c", "a\n  b\n\n\nc"],
    ["preview padding", "Preview&nbsp;&zwnj;&nbsp;&zwnj;&nbsp;&#847;<p>Hi</p>", "Preview\n\nHi"],
    ["joiners inside words", "می&zwnj;خواهم", "می\u200cخواهم"],
    ["a rule", "a<hr>b", "a\n\nb"],
    ["unfinished tags", "One <b", "One"],
    ["stray ends", "</p></div></ul></a>One</li>", "One"],
  ])("of %s", (_, html, expected) => {
    expect(textFromHtml(html)).toBe(expected)
  })

  test.each([
    ["elements in elements", "<div>", ""],
    ["lists in lists", "<ul><li>x", ""],
    ["links that never end", '<a href="https://a.test/">x', ""],
    ["ends without a beginning", "<b>", "</i>"],
    ["unfinished comments", "<!--", ""],
    ["unfinished tags", "<a ", ""],
    ["bare signs", "<", "&"],
    ["entities", "&amp;", "&#38"],
    ["breaks", "<br>", ""],
    ["white space", " \n", ""],
    ["quotes", "<p a='", '<p b="'],
  ])("of hostile HTML takes bounded time: a great many %s", (_, one, other) => {
    const html = one.repeat(2_000_000) + other.repeat(2_000_000)
    const begun = workedMs()
    const text = textFromHtml(html)
    expect(workedMs() - begun).toBeLessThan(2_000)
    expect(text.length).toBeLessThan(20 * htmlReadLimit)
  })

  test("of a very long body is the text of its beginning", () => {
    const text = textFromHtml("<p>word </p>".repeat(500_000))
    expect(text.startsWith("word\n\nword\n\n")).toBe(true)
    expect(text.length).toBeLessThan(htmlReadLimit)
  })
})
