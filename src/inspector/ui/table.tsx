import type { ComponentChildren, RefObject } from 'preact'
import { quantity, withCommas } from '../../words/number-text.ts'
import { capitalised } from '../../words/sentence.ts'
import { isUnreachable } from '../api/client.ts'
import type { PagedRead } from '../api/paged.ts'
import { hrefOf } from '../api/place.ts'
import type { Read } from '../api/read.ts'
import { Empty, Loaded, Panel, Refused, When } from './parts.tsx'

/** A column: what it shows, or an instant, or a number. */
export interface Column<T> {
  title: string
  cell?: (row: T) => ComponentChildren
  when?: (row: T) => string | null | undefined
  number?: (row: T) => ComponentChildren
  /** Makes a link of the cell, which j and k reach. */
  to?: (row: T) => Parameters<typeof hrefOf>[0]
  class?: string | undefined
}

const classOf = <T,>({ class: name, when, number, to }: Column<T>) =>
  name ?? (when ? 'nowrap' : number ? 'number' : to ? 'anywhere' : undefined)

function Cell<T>({ of: { cell, when, number, to }, row }: { of: Column<T>; row: T }) {
  if (when) return <When at={when(row)} />
  const content = (cell ?? number)?.(row)
  if (!to) return <>{content}</>
  return (
    <a data-row href={hrefOf(to(row))}>
      <bdi>{content}</bdi>
    </a>
  )
}

interface TableProps<T> {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  empty?: ComponentChildren
  isCurrent?: (row: T) => boolean
  box?: RefObject<HTMLElement | null>
}

export function Table<T>({ label, columns, rows, keyOf, empty = 'Nothing here yet.', isCurrent, box }: TableProps<T>) {
  if (rows.length === 0) return <Empty>{empty}</Empty>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
    <section class="scroll" tabIndex={0} aria-label={`Table: ${label}`} ref={box}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} aria-current={isCurrent?.(row) ? 'true' : undefined}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  <Cell of={column} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A panel with a table of rows in loaded data. */
export const ReadPanel = <Data, T>({
  title,
  aside,
  read,
  rows,
  children,
  ...table
}: Omit<TableProps<T>, 'rows' | 'label'> & {
  title: string
  aside?: ComponentChildren
  read: Read<Data>
  rows: (data: Data) => readonly T[]
  /** What follows the table. */
  children?: ComponentChildren
}) => (
  <Panel title={title} aside={aside}>
    <Loaded read={read}>{(data) => <Table label={title} {...table} rows={rows(data)} />}</Loaded>
    {children}
  </Panel>
)

/** How many rows of a table are shown, and a button for more; nothing if all are. */
export const ShownOf = ({
  shown,
  total,
  noun,
  more,
}: {
  shown: number
  total: number
  noun: string
  /** Undefined if the others cannot be shown. */
  more: (() => void) | undefined
}) =>
  total > shown && (
    <p class="more">
      <span class="note">
        {withCommas(shown)} of {withCommas(total)} {noun}
      </span>
      {more && (
        <button type="button" class="button small" onClick={more}>
          Show more
        </button>
      )}
    </p>
  )

/** The rows of a list, their number of all, and a button for older ones. */
export function PagedTable<T>({
  list,
  noun,
  ...table
}: Omit<TableProps<T>, 'rows' | 'keyOf' | 'label'> & {
  list: PagedRead<T>
  noun: string
  label?: string
}) {
  return (
    <Loaded read={list}>
      {() => (
        <>
          {list.newer > 0 && <Newer of={list.newer} show={list.catchUp} />}
          <Table label={capitalised(noun)} {...table} rows={list.rows} keyOf={list.keyOf} box={list.box} />
          <More list={list} noun={noun} />
        </>
      )}
    </Loaded>
  )
}

/** How many newer rows a reader further down does not see yet. */
export const Newer = ({ of, show }: { of: number; show: () => void }) => (
  <button type="button" class="button main newer" onClick={show}>
    ↑ {withCommas(of)} new
  </button>
)

/** How many rows of a list are shown, and a button for older ones. */
export function More<T>({
  list: { rows, total, hasMore, isLoading, loadError, loadMore },
  noun,
}: {
  list: PagedRead<T>
  noun: string
}) {
  if (rows.length === 0) return null
  return (
    <div class="more">
      <span class="note" role="status">
        {total === rows.length
          ? quantity(total, noun)
          : `${withCommas(rows.length)} of ${total === undefined ? 'more' : withCommas(total)} ${noun}`}
      </span>
      {hasMore && (
        <button type="button" class="button small" aria-busy={isLoading} onClick={loadMore}>
          Load older
        </button>
      )}
      {loadError && !isUnreachable(loadError) && <Refused>{loadError.message}</Refused>}
    </div>
  )
}
