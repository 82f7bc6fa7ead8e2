import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { quantity } from '../../words/number-text.ts'
import { shellWord } from '../../words/shell.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { commandOf } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { usePointed } from '../api/pointed.ts'
import { useRead } from '../api/read.ts'
import { RefusedLink, refusedRecipients, requestsTo } from '../requests/refused.tsx'
import { useMedia } from '../ui/media.ts'
import { useNames } from '../ui/names.ts'
import { PageHead, Refused, Status, worldYear } from '../ui/parts.tsx'
import { Newer } from '../ui/table.tsx'
import { channelName, dayOf, summaryOf, timeOf } from '../ui/text.ts'
import { topAfter } from './anchor.ts'
import { useChunks } from './chunks.ts'
import { endsOf } from './ends.ts'
import { Filters } from './filters.tsx'
import { OneMessage } from './one.tsx'

/** The heights of a row in one line and in two, as in messages.css. */
const ROW_PX = { wide: 38, narrow: 62 } as const
/** The width from which a row has one line. */
const WIDE_PX = 860
/** Rows rendered beyond the visible ones, so that quick scrolling shows no gap. */
const MARGIN = 10
/** The rendered range moves in steps, so that not every scroll event renders. */
const STEP = 8

/** Every message that phones and mailboxes received or will receive, and what users wrote. */
export function Messages() {
  const { selected, ...query } = place.value.query
  const isNarrow = useMedia('(max-width: 1000px)')
  const detail = useRef<HTMLElement>(null)
  const isEntering = useRef(false)
  const previous = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    if (selected && isEntering.current) detail.current?.focus()
    if (!selected && previous.current) focusRowAgain(previous.current)
    isEntering.current = false
    previous.current = selected
  }, [selected])
  const enter = (id: string) => {
    // The open row changes no address, so no effect follows.
    if (id === selected) detail.current?.focus()
    else isEntering.current = true
  }
  if (selected && isNarrow) return <OneMessage id={selected} key={selected} />
  return (
    <div class={`inbox ${selected ? 'split' : ''}`}>
      <MessageList query={query} selected={selected} enter={enter} />
      {selected && (
        <aside class="selected" aria-label="Selected message" tabIndex={-1} ref={detail}>
          <OneMessage id={selected} key={selected} isBeside />
        </aside>
      )}
    </div>
  )
}

/** Returns from a closed message to its row, unless the focus is elsewhere already. */
function focusRowAgain(id: string) {
  const { activeElement } = document
  if (activeElement !== document.body && activeElement !== document.getElementById('main')) return
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus({ preventScroll: true })
}

interface ListProps {
  query: Readonly<Record<string, string>>
  selected: string | undefined
  /** Called when a row is opened with the keyboard. */
  enter: (id: string) => void
}

function MessageList({ query, selected, enter }: ListProps) {
  /** The row that had the focus last. */
  const [lastFocused, setLastFocused] = useState<string>()
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 800, isWide: true })
  const isPointed = usePointed(box)
  const isFurtherDown = () => (box.current?.scrollTop ?? 0) > 0
  const pieces = useChunks(query, () => isPointed || isFurtherDown())
  useEffect(() => {
    if (!isPointed && !isFurtherDown()) pieces.catchUp()
  }, [isPointed])
  const nameOf = useNames()
  /** The row that was selected last; closing it leaves it in sight, too. */
  const anchor = useRef<number | undefined>(undefined)
  /** Where to scroll once the rows have their new height. */
  const scrollTo = useRef<number | undefined>(undefined)
  const wasWide = useRef(view.isWide)
  useEffect(() => {
    const element = box.current!
    let frame = 0
    const measure = () => {
      frame = 0
      // A hidden list has no width, and rows would change their form once it is shown.
      if (element.clientWidth === 0) return
      const isWide = element.clientWidth >= WIDE_PX
      const rowPx = ROW_PX[isWide ? 'wide' : 'narrow']
      if (isWide !== wasWide.current) {
        const seen = { topPx: scrollTo.current ?? element.scrollTop, heightPx: element.clientHeight }
        scrollTo.current = topAfter(seen, ROW_PX[isWide ? 'narrow' : 'wide'], rowPx, anchor.current)
        wasWide.current = isWide
      }
      const stepPx = rowPx * STEP
      const top = Math.floor((scrollTo.current ?? element.scrollTop) / stepPx) * stepPx
      setView((before) =>
        before.top === top && before.height === element.clientHeight && before.isWide === isWide
          ? before
          : { top, height: element.clientHeight, isWide },
      )
    }
    const soon = () => {
      frame ||= requestAnimationFrame(measure)
    }
    const watcher = new ResizeObserver(soon)
    watcher.observe(element)
    element.addEventListener('scroll', soon, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      watcher.disconnect()
      element.removeEventListener('scroll', soon)
    }
  }, [])
  useLayoutEffect(() => {
    if (scrollTo.current === undefined) return
    box.current!.scrollTop = scrollTo.current
    scrollTo.current = undefined
  }, [view])
  const rowPx = ROW_PX[view.isWide ? 'wide' : 'narrow']
  const total = pieces.total ?? 0
  const first = Math.max(0, Math.floor(view.top / rowPx) - MARGIN)
  const last = Math.min(total - 1, Math.ceil((view.top + view.height) / rowPx) + STEP + MARGIN)
  useEffect(() => {
    if (last >= first) pieces.see(first, last)
  }, [first, last, pieces.see])
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  const indexOf = (id: string | undefined) => shown.find((index) => id !== undefined && pieces.at(index)?.id === id)
  if (selected) anchor.current = indexOf(selected) ?? anchor.current
  const tabStop = indexOf(lastFocused) ?? indexOf(selected) ?? Math.floor(view.top / rowPx)
  return (
    <div class="messages">
      <PageHead title="Messages">
        <span class="count" role="status">
          {pieces.total === undefined ? '' : quantity(total + pieces.newer, 'messages')}
        </span>
        {Object.keys(query).length === 0 && <RefusedLink />}
        <span class="space" />
        <a class="button main" href={hrefOf({ page: 'compose' })}>
          Compose
        </a>
      </PageHead>
      <Filters query={query} />
      {pieces.error && <Refused>{pieces.error.message}</Refused>}
      {pieces.total === undefined && !pieces.error && <p class="reading">Loading…</p>}
      {pieces.total === 0 && <NoMessages query={query} />}
      {pieces.newer > 0 && (
        <Newer
          of={pieces.newer}
          show={() => {
            pieces.catchUp()
            box.current?.scrollTo(0, 0)
          }}
        />
      )}
      <section
        class={`list ${view.isWide ? 'one-line' : 'two-lines'}`}
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
        tabIndex={0}
        aria-label="Messages, newest first"
        hidden={total === 0}
      >
        {view.isWide && (
          <p class="row heads" aria-hidden="true">
            {['Time', 'Status', 'Channel', 'Recipient', 'Sender', 'Message'].map((title) => (
              <span key={title}>{title}</span>
            ))}
          </p>
        )}
        <ol style={{ paddingTop: `${first * rowPx}px`, paddingBottom: `${Math.max(0, total - 1 - last) * rowPx}px` }}>
          {shown.map((index) => (
            <Row
              // Not the place: the row with the focus stays that of its message while newer ones come.
              key={pieces.at(index)?.id ?? index}
              place={index + 1}
              total={total}
              message={pieces.at(index)}
              nameOf={nameOf}
              query={query}
              isSelected={pieces.at(index)?.id === selected}
              isTabStop={index === tabStop}
              focused={setLastFocused}
              enter={enter}
            />
          ))}
        </ol>
      </section>
    </div>
  )
}

interface RowProps {
  place: number
  total: number
  message: MessageAnswer | undefined
  nameOf: (id: string | null) => string
  query: Readonly<Record<string, string>>
  isSelected: boolean
  /** Of all rows, Tab reaches one; j and k move among them. */
  isTabStop: boolean
  focused: (id: string) => void
  enter: ListProps['enter']
}

function Row({ place: position, total, message, nameOf, query, isSelected, isTabStop, focused, enter }: RowProps) {
  if (!message)
    return (
      <li class="row reading" aria-setsize={total} aria-posinset={position}>
        …
      </li>
    )
  const { id, created_at, status, channel, direction, content, failure_reason } = message
  const { from, to } = endsOf(message, nameOf)
  const isThisYear = created_at.startsWith(worldYear.value)
  return (
    <li aria-setsize={total} aria-posinset={position}>
      <a
        class={`row ${direction === 'INBOUND' ? 'inbound' : ''}`}
        data-row={id}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={() => focused(id)}
        // A click that no pointer made comes from the keyboard; with Ctrl it opens another tab.
        onClick={({ detail, ctrlKey, metaKey, shiftKey }) =>
          detail === 0 && !(ctrlKey || metaKey || shiftKey) && enter(id)
        }
        href={hrefOf({ page: 'messages', query: { ...query, selected: id } })}
        aria-current={isSelected ? 'true' : undefined}
      >
        <time dateTime={created_at} class="mono" title={`${created_at} on the world's clock`}>
          <span class="day">{dayOf(created_at).slice(isThisYear ? 5 : 0)}</span>{' '}
          {timeOf(created_at).slice(0, isThisYear ? 8 : 5)}
        </time>
        <span class="state">
          <Status of={status} />
        </span>
        <span class="channel">
          {direction === 'INBOUND' ? '← ' : ''}
          {channelName(channel)}
        </span>
        <bdi class="to">{to}</bdi>
        <bdi class="from">{from}</bdi>
        <span class="says">
          {failure_reason && <span class="reason">{failure_reason}</span>}
          <bdi>{summaryOf(content)}</bdi>
        </span>
      </a>
    </li>
  )
}

/** The command that sends the first message. */
const FIRST = `send +491713920050 --text ${shellWord('Your parcel arrives today.')}`

const NoMessages = ({ query }: { query: ListProps['query'] }) =>
  Object.keys(query).length > 0 ? (
    <div class="empty">
      <p>No message matches these filters.</p>
      <RefusedTo part={query.to ?? query.text ?? ''} />
    </div>
  ) : (
    <div class="empty">
      <p>
        No messages yet. Send one from your application, on the <a href={hrefOf({ page: 'compose' })}>Compose</a> page,
        or from a shell:
      </p>
      <pre class="code wraps">{commandOf({ words: FIRST })}</pre>
    </div>
  )

/** A refused send leaves no message, which explains an empty search for its recipient. */
function RefusedTo({ part }: { part: string }) {
  const { value = [] } = useRead(
    `refused ${part}`,
    async () => (part.length < 3 ? [] : await refusedRecipients(part)),
    { when: () => false, everyMs: 2_000 },
  )
  return value.slice(0, 5).map((to) => (
    <p key={to}>
      <a href={hrefOf(requestsTo(to))}>Refused sends to {to}</a>
    </p>
  ))
}
