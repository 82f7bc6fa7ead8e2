import type { ComponentChildren } from 'preact'
import { jsonOr } from '../../words/json.ts'
import { hrefOf } from '../api/place.ts'
import type { Read } from '../api/read.ts'
import { dayOf, momentOf, shortId, timeOf } from './text.ts'

/** Small components of all pages. */

const TONES: Readonly<Record<string, string>> = {
  delivered: 'good',
  read: 'good',
  opened: 'good',
  clicked: 'good',
  received: 'good',
  GRANTED: 'good',
  APPROVED: 'good',
  LAUNCHED: 'good',
  COMPLETED: 'good',
  ACTIVE: 'good',
  failed: 'bad',
  bounced: 'bad',
  REJECTED: 'bad',
  BLOCKED: 'bad',
  BOUNCED: 'bad',
  REVOKED: 'bad',
  PAUSED_ERROR: 'bad',
  SUSPENDED: 'bad',
  expired: 'warn',
  revoked: 'warn',
  PAUSED: 'warn',
  PAUSED_BALANCE: 'warn',
  PENDING: 'warn',
  PENDING_REVIEW: 'warn',
  COMPLETED_PARTIAL: 'warn',
  held: 'warn',
  waiting: 'warn',
  UNSUBSCRIBED: 'warn',
  queued: 'busy',
  dispatched: 'busy',
  pending: 'busy',
  RUNNING: 'busy',
}

export const Status = ({ of, tone = TONES[of] }: { of: string; tone?: string | undefined }) => (
  <span class={`status ${tone ?? 'plain'}`}>{of}</span>
)

/** A world instant. */
export const When = ({ at, full = false }: { at: string | null | undefined; full?: boolean }) =>
  at ? (
    <time dateTime={at} title={`${at} on the world's clock`} class="mono">
      {full ? momentOf(at) : timeOf(at)}
      {full ? null : <span class="day"> {dayOf(at)}</span>}
    </time>
  ) : (
    <span class="none">–</span>
  )

export const MessageLink = ({ id }: { id: string }) => (
  <a class="mono" href={hrefOf({ page: 'messages', id })} title={id}>
    {shortId(id)}
  </a>
)

export const Id = ({ of }: { of: string | null | undefined }) =>
  of ? (
    <code class="id" title={of}>
      {shortId(of)}
    </code>
  ) : (
    <span class="none">–</span>
  )

export const PageHead = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <header class="page-head">
    <h1>{title}</h1>
    {children}
  </header>
)

export const Panel = ({
  title,
  aside,
  children,
  class: name = '',
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
  class?: string
}) => (
  <section class={`panel ${name}`} aria-label={title}>
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    <div class="panel-body">{children}</div>
  </section>
)

/** Shows loaded data, the refusal, or a quiet sign of loading. */
export function Loaded<T>({ read, children }: { read: Read<T>; children: (value: T) => ComponentChildren }) {
  if (read.value !== undefined) return <>{children(read.value)}</>
  if (read.error)
    return (
      <p class="refused" role="alert">
        {read.error.message}
      </p>
    )
  return <p class="reading">Reading…</p>
}

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

export interface Column<T> {
  title: string
  cell: (row: T) => ComponentChildren
  class?: string
}

export function Table<T>({
  label,
  columns,
  rows,
  keyOf,
  empty = 'Nothing here yet.',
}: {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  empty?: ComponentChildren
}) {
  if (rows.length === 0) return <Empty>{empty}</Empty>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
    <section class="scroll" tabIndex={0} aria-label={`Table: ${label}`}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, class: name }) => (
              <th key={title} scope="col" class={name}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, class: name }) => (
                <td key={title} class={name}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Labelled values. */
export const Facts = ({ of }: { of: readonly (readonly [word: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([word, value]) => (
      <div key={word}>
        <dt>{word}</dt>
        <dd>{value ?? <span class="none">–</span>}</dd>
      </div>
    ))}
  </dl>
)

export const Json = ({ of, label = 'JSON' }: { of: unknown; label?: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
  <section class="code" tabIndex={0} aria-label={label}>
    <pre>{typeof of === 'string' ? of : JSON.stringify(of, null, 2)}</pre>
  </section>
)

/** Indented JSON, or the text itself. */
export function pretty(text: string): string {
  const value = jsonOr(text, undefined)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
