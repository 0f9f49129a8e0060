import { type ComponentProps, Fragment, type ReactNode } from "react"
import { type RowProps, useRowsInView } from "./rows-in-view.ts"

interface TableRowsProps extends Pick<ComponentProps<"tbody">, "inert"> {
  ids: readonly string[]
  /** Of a usual row, in px. */
  height: number
  /** The row that the keys are at. */
  cursor?: string | undefined
  /** The row at a place, with what its `tr` is to have. */
  row(index: number, props: RowProps & Pick<ComponentProps<"tr">, "aria-rowindex">): ReactNode
}

/** Counted from 1, after the row of the headings. */
const firstRow = 2

/** The rows of a table, of a long one those in view. */
export function TableRows({ ids, height, cursor, row, ...others }: TableRowsProps) {
  const { rows, after, body, isLong } = useRowsInView<HTMLTableSectionElement>(ids, height, cursor)
  return (
    <tbody {...others} {...body}>
      {rows.map(({ index, gap, props }) => (
        <Fragment key={ids[index]}>
          {gap > 0 && <Gap height={gap} />}
          {row(index, isLong ? { ...props, "aria-rowindex": index + firstRow } : props)}
        </Fragment>
      ))}
      {after > 0 && <Gap height={after} />}
    </tbody>
  )
}

const Gap = ({ height }: { height: number }) => <tr style={{ height }} />
