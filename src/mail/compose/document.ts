/** An HTML body as it is sent: one without `<html` is wrapped in a minimal document (contract A7.2.1). */
export const asDocument = (html: string): string =>
  /<html/i.test(html)
    ? html
    : `<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"></head>\n<body>\n${html}\n</body>\n</html>\n`
