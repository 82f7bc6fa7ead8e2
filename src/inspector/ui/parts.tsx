import { signal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { pageOfRecord } from '../../words/inspector-page.ts'
import { jsonOr } from '../../words/json.ts'
import { isUnreachable } from '../api/client.ts'
import { hrefOf, listOf } from '../api/place.ts'
import type { Read } from '../api/read.ts'
import { shortId, timeOf } from './text.ts'
import { useTitle } from './title.ts'

/** Small components of all pages. */

/** The statuses in each colour. */
const TONES = {
  good: 'delivered read opened clicked received completed GRANTED APPROVED LAUNCHED COMPLETED ACTIVE',
  bad: 'failed bounced REJECTED BLOCKED BOUNCED REVOKED PAUSED_ERROR SUSPENDED',
  warn: 'expired revoked ineligible held waiting PAUSED PAUSED_BALANCE PENDING PENDING_REVIEW COMPLETED_PARTIAL UNSUBSCRIBED',
  busy: 'queued dispatched pending in_progress RUNNING',
}

const toneOf = (status: string) =>
  Object.entries(TONES).find(([, statuses]) => statuses.split(' ').includes(status))?.[0] ?? 'plain'

export const Status = ({ of, tone = toneOf(of) }: { of: string; tone?: string | undefined }) => (
  <span class={`status ${tone}`}>{of}</span>
)

const None = () => <span class="none">–</span>

/** The current year of the world, which a phone leaves out. */
export const worldYear = signal('-')

/** Whether the world's clock is frozen: nothing happens until it is advanced. */
export const isFrozen = signal(false)

/** A world instant, to the second or to the millisecond. */
export const When = ({ at, precise = false }: { at: string | null | undefined; precise?: boolean }) =>
  at ? (
    <time dateTime={at} title={`${at} on the world's clock`} class="mono nowrap">
      <span class="day">
        <span class={at.startsWith(worldYear.value) ? 'year' : ''}>{at.slice(0, 5)}</span>
        {at.slice(5, 10)}
      </span>{' '}
      {precise ? timeOf(at) : timeOf(at).slice(0, 8)}
    </time>
  ) : (
    <None />
  )

/** A record as a link to its page, if it has one. */
export function RecordLink({
  id,
  page = pageOfRecord(id ?? ''),
}: {
  id: string | null | undefined
  page?: string | undefined
}) {
  if (!id || !page) return <Id of={id} />
  return (
    <a class="mono" href={hrefOf({ page, id })} title={id}>
      {shortId(id)}
    </a>
  )
}

/** The record of an event; a conversation has agent and phone. */
export const SubjectLink = ({ of, page }: { of: string; page?: string | undefined }) => (
  <RecordLink id={of.split(' ').at(-1)} page={page} />
)

/** A link that the service itself sent. It opens as for the person, who confirms on its page. */
export const NoteLink = ({ to }: { to: string }) => (
  <a class="anywhere" href={to} target="_blank" rel="noreferrer" title="Open the link as the person, in a new tab">
    {to}
  </a>
)

export const Id = ({ of }: { of: string | null | undefined }) =>
  of ? (
    <code class="id" title={of}>
      {shortId(of)}
    </code>
  ) : (
    <None />
  )

interface HeadProps {
  title: string
  /** The page above this one, by name and title. */
  back?: readonly [page: string, title: string] | undefined
  children?: ComponentChildren
}

/** The heading of a page, which also names the tab. */
export function PageHead({ title, back, children }: HeadProps) {
  useTitle(title)
  return (
    <header class="page-head">
      {back && (
        <a class="back" href={listOf(back[0])}>
          ← {back[1]}
        </a>
      )}
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {children}
    </header>
  )
}

export const Panel = ({
  title,
  aside,
  children,
  class: name = '',
  box,
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
  class?: string
  box?: RefObject<HTMLElement | null>
}) => (
  <section class={`panel ${name}`} aria-label={title} ref={box}>
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    <div class="panel-body">{children}</div>
  </section>
)

/** Shows loaded data, the refusal, or that data is loading. A lost server keeps what was read. */
export function Loaded<T>({ read, children }: { read: Read<T>; children: (value: T) => ComponentChildren }) {
  if (read.value !== undefined) return <>{children(read.value)}</>
  if (!read.error) return <p class="reading">Loading…</p>
  // The top bar reports a lost server once for the whole page.
  if (isUnreachable(read.error)) return <p class="reading">Waiting for the sandbox…</p>
  return <Refused>{read.error.message}</Refused>
}

/** The page of a record that cannot be read, such as an unknown id: the reason appears once. */
export const NotShown = ({ title, back, read }: Omit<HeadProps, 'children'> & { read: Read<unknown> }) => (
  <>
    <PageHead title={title} back={back} />
    <Loaded read={read}>{() => null}</Loaded>
  </>
)

/** What was refused, in a box of its own. */
export const Refused = ({ children }: { children: ComponentChildren }) => (
  <p class="refused" role="alert">
    {children}
  </p>
)

/** What was refused, beside its field or button. */
export const Refusal = ({ children }: { children: ComponentChildren }) => (
  <span class="refusal" role="alert">
    {children}
  </span>
)

/** The text of an empty list, which a filter may have emptied. */
export const emptyText = (noun: string, query: object): string =>
  `No ${noun} ${Object.keys(query).length > 0 ? 'match' : 'yet'}.`

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

/** Labelled values. */
export const Facts = ({ of }: { of: readonly (readonly [word: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([word, value]) => (
      <div key={word}>
        <dt>{word}</dt>
        <dd>{value ?? <None />}</dd>
      </div>
    ))}
  </dl>
)

export const Json = ({ of, label = 'JSON', wraps = false }: { of: unknown; label?: string; wraps?: boolean }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
  <section class={`code ${wraps ? 'wraps' : ''}`} tabIndex={0} aria-label={label}>
    <pre>{typeof of === 'string' ? of : JSON.stringify(of, null, 2)}</pre>
  </section>
)

/** Indented JSON, or the text itself. */
export function pretty(text: string): string {
  const value = jsonOr(text, undefined)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
