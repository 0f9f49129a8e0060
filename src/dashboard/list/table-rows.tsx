import { type ComponentProps, Fragment, type ReactNode } from "react"
import { type RowProps, useRowsInView } from "../ui/rows-in-view.tsx"

/** The attributes of the `tr` of a row. */
export type TableRowProps = RowProps & Pick<ComponentProps<"tr">, "aria-rowindex">

interface TableRowsProps extends Pick<ComponentProps<"tbody">, "inert"> {
  /** A row above the others, such as a heading. */
  children?: ReactNode
  ids: readonly string[]
  /** Of a usual row, in px. */
  height: number
  /** The row that the keys are at. */
  cursor?: string | undefined
  row(index: number, props: TableRowProps): ReactNode
}

/** Counted from 1, after the row of the headings. */
const firstRow = 2

/** The rows of a table; of a long one, only those in view. */
export function TableRows({ ids, height, cursor, row, children, ...others }: TableRowsProps) {
  const { rows, after, body, watch, isLong } = useRowsInView<HTMLTableSectionElement>(ids, height, cursor)
  return (
    <>
      <tbody {...others} {...body}>
        {children}
        {rows.map(({ index, gap, props }) => (
          <Fragment key={ids[index]}>
            {gap > 0 && <Gap height={gap} />}
            {row(index, isLong ? { ...props, "aria-rowindex": index + firstRow } : props)}
          </Fragment>
        ))}
        {after > 0 && <Gap height={after} />}
      </tbody>
      {watch}
    </>
  )
}

const Gap = ({ height }: { height: number }) => <tr style={{ height }} />
