/** Of `<header` the name goes on. */
const isDocument = /<(?:html|!doctype|(?:head|body)(?=[\s/>]))/i

/** An HTML body as it is sent: one that does not begin to be a document is wrapped in a minimal one (contract A7.2.1). */
export const asDocument = (html: string): string =>
  isDocument.test(html)
    ? html
    : `<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"></head>\n<body>\n${html}\n</body>\n</html>\n`
