/** The part of libmime that is used here; the package has no types. */
declare module "libmime" {
  const libmime: {
    /** Decodes the RFC 2047 encoded words of a text. Unknown character sets are read as UTF-8. */
    decodeWords(text: string): string
    /** The name that the package has for a charset. */
    normalizeCharset(charset: string): string
    /** The value of a field and its parameters by their names in lower case (RFC 2045, 5.1; RFC 2231). */
    parseHeaderValue(value: string): { readonly params: Readonly<Record<string, string | undefined>> }
    /** The media type of a file with this name; `application/octet-stream` when its extension tells none. */
    detectMimeType(filename: string): string
    /** The usual file extension of a media type, without the dot; `bin` when there is none. */
    detectExtension(mediaType: string): string
  }
  export default libmime
}
