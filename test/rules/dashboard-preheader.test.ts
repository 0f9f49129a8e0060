import { describe, expect, test } from "bun:test"
import { readPreheader, withPreheader } from "../../src/dashboard/parts/content/preheader.ts"
import { starters } from "../../src/dashboard/parts/new-mail/starters.ts"

describe("the preheader of a body", () => {
  const page = '<!doctype html>\n<html><head><title>x</title></head><body class="a">\n  <p>Hello</p>\n</body></html>'

  test.each(["<p>Hello</p>", page, "", "Hello {{firstName}}"])(
    "is put at the start of %j, changed and taken out",
    (body) => {
      const one = withPreheader(body, "For {{firstName ?? you}}: 1 < 2 & more")
      expect(readPreheader(one)).toBe("For {{firstName ?? you}}: 1 < 2 & more")
      const other = withPreheader(one, "Other")
      expect(readPreheader(other)).toBe("Other")
      expect(other.split("Other")).toHaveLength(2)
      expect(withPreheader(other, "").replace(/\s/g, "")).toBe(body.replace(/\s/g, ""))
    },
  )

  test.each(["News&nbsp;&zwnj;&#8199;caf&eacute;", "a &amp; b &lt; c", "&amp;nbsp; &amp;lt;"])(
    "keeps the entities of %j when it is changed",
    (text) => {
      const body = `<div style="display:none;x">${text}</div>`
      const changed = withPreheader(body, `${readPreheader(body)}!`)
      expect(changed).toContain(`>${text}!</div>`)
    },
  )

  test("is after the body tag", () => {
    expect(withPreheader(page, "Soon")).toMatch(/<body class="a">\s*<div style="display:none;[^"]*">Soon<\/div>\s*<p>/)
  })

  test("is found in the starters of new mail", () => {
    expect(starters.map(({ body }) => readPreheader(body) !== "")).toEqual([false, true, true])
  })

  test("is not another hidden part further down", () => {
    expect(readPreheader('<p>Hello</p><div style="display:none;x">no</div>')).toBe("")
  })
})
