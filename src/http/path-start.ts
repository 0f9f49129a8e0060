/** Where the path of a complete URL begins. Parsing all of it would cost more than what is decided by the path. */
export const pathStart = (url: string): number => url.indexOf("/", url.indexOf("://") + 3)
