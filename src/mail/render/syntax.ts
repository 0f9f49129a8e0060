/** The nodes of the parser's tree that a scanned template can contain. */

/** Lines from 1, columns from 0 in code units. */
export interface Loc {
  readonly start: { readonly line: number; readonly column: number }
}

interface Node {
  readonly loc: Loc
}

export interface Path extends Node {
  readonly type: "PathExpression"
  /** Written with `@`. */
  readonly data: boolean
  /** The number of `../`. */
  readonly depth: number
  readonly parts: readonly string[]
  /** The source text, without the brackets of segments. */
  readonly original: string
}

interface Literal extends Node {
  readonly type: "StringLiteral" | "NumberLiteral" | "BooleanLiteral" | "UndefinedLiteral" | "NullLiteral"
  readonly value: string | number | boolean | null | undefined
}

interface HashPair extends Node {
  readonly key: string
  readonly value: Expression
}

/** A node that can call a helper. */
export interface Callable extends Node {
  readonly path: Path | Literal
  readonly params: readonly Expression[]
  readonly hash?: { readonly pairs: readonly HashPair[] } | undefined
}

interface SubExpression extends Callable {
  readonly type: "SubExpression"
}

export type Expression = Path | Literal | SubExpression

export interface Mustache extends Callable {
  readonly type: "MustacheStatement"
  /** False for `{{{...}}}` and `{{& ...}}`. */
  readonly escaped: boolean
}

export interface Block extends Callable {
  readonly type: "BlockStatement"
  readonly program: Program
  readonly inverse?: Program | undefined
}

interface Content extends Node {
  readonly type: "ContentStatement"
  /** After white space control. */
  readonly value: string
}

interface Comment extends Node {
  readonly type: "CommentStatement"
}

export type Statement = Mustache | Block | Content | Comment

export interface Program {
  readonly body: readonly Statement[]
  readonly blockParams?: readonly string[] | undefined
}
