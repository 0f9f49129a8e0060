import { contentTypeIn, plainContentType } from "./content-type.ts"

/** A multipart whose end has not been read yet. */
interface OpenMultipart {
  readonly boundary: string
  readonly isDigest: boolean
}

/** Deeper ones are read as text of the enclosing part. */
const deepest = 50

/** Tracks the open multiparts while the boundary lines of a message are read in order. */
interface OpenMultiparts {
  /** Whether the parts with this boundary are messages, unless they say otherwise (RFC 2046, 5.1.5). */
  isDigest(boundary: string): boolean
  /**
   * A part with this header section begins after a boundary line. Returns the inner multiparts, innermost first, that
   * end here because their own end is missing (RFC 2046, 5.1.2).
   */
  begin(boundary: string, head: string): readonly string[]
  /** The same for a boundary line that ends its multipart. */
  end(boundary: string): readonly string[]
}

/** `head`: the header fields of the message. */
export function openMultiparts(head: string): OpenMultiparts {
  const open: OpenMultipart[] = []
  const depthOf = (boundary: string): number => open.findLastIndex((one) => one.boundary === boundary)
  const endFrom = (depth: number): string[] => open.splice(depth).map(({ boundary }) => boundary)
  const enter = (fields: string): void => {
    const found = multipartIn(fields)
    if (found && open.length < deepest && depthOf(found.boundary) < 0) open.push(found)
  }
  enter(head)
  return {
    isDigest: (boundary) => open[depthOf(boundary)]?.isDigest === true,
    begin(boundary, fields) {
      const depth = depthOf(boundary)
      if (depth < 0) return []
      const ended = endFrom(depth + 1)
      enter(fields)
      return ended.reverse()
    },
    end(boundary) {
      const depth = depthOf(boundary)
      return depth < 0 ? [] : endFrom(depth).slice(1).reverse()
    },
  }
}

/** The first of several types counts, as in the package. */
function multipartIn(head: string): OpenMultipart | undefined {
  const type = plainContentType(contentTypeIn(head) ?? "")
  if (!/^multipart\//i.test(type)) return undefined
  const [, quoted, plain] = boundaryParameter.exec(type) ?? []
  const boundary = quoted ?? plain
  return boundary === undefined ? undefined : { boundary, isDigest: /^multipart\/digest\b/i.test(type) }
}

const boundaryParameter = /;\s{0,99}boundary\s{0,9}=\s{0,9}(?:"([^"\r\n]{1,70})"|([^\s";]{1,70}))/i
