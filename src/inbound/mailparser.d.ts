/** Members of the package that its types leave out. */
declare module "mailparser" {
  /** A part as the splitter has read its header. */
  interface MimeNode {
    readonly filename: string | false
    charset: string | false
    disposition: string | false
    readonly parentNode: { readonly multipart: string | false; readonly childPartNumbers: number } | false
  }

  /** A part in the tree of a message. */
  interface PartNode {
    readonly contentType: string | false
    readonly isAttachment?: boolean
    readonly children: readonly PartNode[]
  }

  interface MailParser {
    readonly tree: PartNode | false
    /** Turns text of a charset into UTF-8. */
    decoder: { decodeStream(charset: string): NodeJS.ReadWriteStream }
    createNode(node: MimeNode): PartNode
  }
}

export {}
