/** `<head` must not match `<header`. */
const isDocument = /<(?:html|!doctype|(?:head|body)(?=[\s/>]))/i

/** The HTML body as it is sent: wrapped in a minimal document unless it is one already (contract A7.2.1). */
export const asDocument = (html: string): string =>
  isDocument.test(html)
    ? html
    : `<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"></head>\n<body>\n${html}\n</body>\n</html>\n`
