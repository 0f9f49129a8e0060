const form = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+[ \t]*(?:;[\x20-\x7e]*)?$/

/** Whether a text is a media type such as `text/plain`, with or without parameters (RFC 2045, 5.1; RFC 6838, 4.2). */
export const isMediaType = (text: string): boolean => form.test(text)
