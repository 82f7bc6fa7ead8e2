import { useEffect, useRef, useState } from 'preact/hooks'
import type { MessageAnswer } from '../api/answers.ts'
import { place } from '../api/place.ts'
import { MessageLink, PageHead, Status, When } from '../ui/parts.tsx'
import { count, shortId, summaryOf } from '../ui/text.ts'
import { useChunks } from './chunks.ts'
import { Filters } from './filters.tsx'

const ROW_PX = 36
/** Rows rendered beyond the visible ones, so that quick scrolling shows no gap. */
const MARGIN = 12

export function MessageList() {
  const { query } = place.value
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 800 })
  const pieces = useChunks(query, (rows) => {
    // Keeps the position of a reader further down.
    if (box.current && box.current.scrollTop > 0) box.current.scrollTop += rows * ROW_PX
  })
  useEffect(() => {
    const element = box.current!
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight })
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  const total = pieces.total ?? 0
  const first = Math.max(0, Math.floor(view.top / ROW_PX) - MARGIN)
  const last = Math.min(total - 1, Math.ceil((view.top + view.height) / ROW_PX) + MARGIN)
  useEffect(() => {
    if (last >= first) pieces.see(first, last)
  }, [first, last, pieces.see])
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  return (
    <div class="messages">
      <PageHead title="Messages">
        <span class="count" role="status">
          {pieces.total === undefined ? '' : count(total)}
        </span>
      </PageHead>
      <Filters />
      {pieces.error && (
        <p class="refused" role="alert">
          {pieces.error.message}
        </p>
      )}
      {pieces.total === 0 && <NoMessages isNarrow={Object.keys(query).length > 0} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard. */}
      <section class="list" ref={box} tabIndex={0} aria-label="Messages, newest first" hidden={pieces.total === 0}>
        <table aria-rowcount={total + 1}>
          <thead>
            <tr>
              {['Time', 'Status', 'Channel', 'Recipient', 'What it says', 'Type', 'Id'].map((title) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap rows={first} />
            {shown.map((index) => (
              <Row key={index} index={index} message={pieces.at(index)} />
            ))}
            <Gap rows={total - 1 - last} />
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** The space of invisible rows. */
const Gap = ({ rows }: { rows: number }) =>
  rows > 0 ? (
    <tr class="gap">
      <td colSpan={7} style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  ) : null

function Row({ index, message }: { index: number; message: MessageAnswer | undefined }) {
  if (!message)
    return (
      <tr aria-rowindex={index + 2}>
        <td class="reading" colSpan={7}>
          …
        </td>
      </tr>
    )
  const { id, created_at, status, channel, direction, to, content, message_type } = message
  return (
    <tr aria-rowindex={index + 2}>
      <td>
        <When at={created_at} />
      </td>
      <td>
        <Status of={status} />
      </td>
      <td>
        {direction === 'INBOUND' ? '← ' : ''}
        {channel}
      </td>
      <td class="mono" title={to}>
        {to.includes('_') && !to.includes('@') ? shortId(to) : to}
      </td>
      <td dir="auto">
        <bdi>{summaryOf(content)}</bdi>
      </td>
      <td class="quiet">{message_type}</td>
      <td>
        <MessageLink id={id} />
      </td>
    </tr>
  )
}

const NoMessages = ({ isNarrow }: { isNarrow: boolean }) =>
  isNarrow ? (
    <p class="empty">No message is like that.</p>
  ) : (
    <div class="empty">
      <p>Nothing was sent in this world yet. Send something:</p>
      <pre class="code">sandbox send +491713920050 --text "Your parcel arrives today."</pre>
    </div>
  )
