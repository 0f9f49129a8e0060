/** The part of libmime that is used here; the package has no types. */
declare module "libmime" {
  const libmime: {
    /** Decodes the RFC 2047 encoded words of a text. Unknown character sets are read as UTF-8. */
    decodeWords(text: string): string
    /** The usual file extension of a media type, without the dot; `bin` when there is none. */
    detectExtension(mediaType: string): string
  }
  export default libmime
}
