/** Members of the package that its types leave out. */
declare module "mailparser" {
  /** A part as the splitter has read its header. */
  interface MimeNode {
    /** Its fields; the value of a missing one is empty. */
    readonly headers: { get(name: string): readonly string[]; getFirst(name: string): string }
    contentType: string | false
    filename: string | false
    charset: string | false
    disposition: string | false
    encoding: string | false
    /** Whether the text is `format=flowed`. */
    flowed: boolean
    readonly delSp: boolean
    readonly parentNode: { readonly multipart: string | false } | false
    /** The numbers of the parts around it, outermost first, and its own. */
    readonly partNr: readonly (string | number)[] | false
  }

  /** A part in the tree of a message. */
  interface PartNode {
    readonly node: MimeNode
    readonly headers: Map<string, unknown>
    contentType: string | false
    readonly isAttachment?: boolean
    /** Of a part that is shown, once it is read. */
    textContent?: string
    readonly children: readonly PartNode[]
  }

  interface MailParser {
    readonly tree: PartNode | false
    /** Turns text of a charset into UTF-8. */
    decoder: { decodeStream(charset: string): NodeJS.ReadWriteStream }
    createNode(node: MimeNode): PartNode
    /** The text of the message, made of that of its parts. */
    getTextContent(): MessageText
  }
}

export {}
