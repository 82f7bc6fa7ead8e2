import { useState } from 'preact/hooks'
import { type Evidence, type Item, KINDS } from '../../controls/evidence/item.ts'
import { shellPath } from '../../words/shell.ts'
import { isShown, NO_FILTER } from './filter.ts'
import { Filters } from './filters.tsx'
import { Row } from './row.tsx'

/** All events of a world on one timeline. */
export function EvidencePage({ evidence }: { evidence: Evidence }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const shown = evidence.items.map((item, index) => ({ item, index })).filter(({ item }) => isShown(item, filter))
  return (
    <main>
      <Head evidence={evidence} />
      <Filters filter={filter} set={setFilter} messages={messagesIn(evidence.items)} />
      <p class="count" role="status">
        {shown.length} of {evidence.items.length} shown:{' '}
        {KINDS.map((kind) => `${countOf(shown, kind)} ${kind}`).join(', ')}
      </p>
      <ol class="timeline">
        {shown.map(({ item, index }) => (
          <Row key={index} item={item} />
        ))}
      </ol>
    </main>
  )
}

const countOf = (shown: readonly { item: Item }[], kind: string) =>
  shown.filter(({ item }) => item.kind === kind).length

const messagesIn = (items: readonly Item[]): string[] => [
  ...new Set(items.flatMap(({ message_id }) => (message_id === null ? [] : [message_id]))),
]

function Head({ evidence }: { evidence: Evidence }) {
  const { title, error, location, trouble, version, namespace, clock, saved_at, snapshot, without_bodies } = evidence
  return (
    <header class="evidence-head">
      <h1>{title}</h1>
      {error && <pre class="complaint">{error}</pre>}
      {trouble.length > 0 && (
        <ul class="trouble">
          {trouble.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <dl>
        {location && (
          <>
            <dt>Assertion</dt>
            <dd>
              <code>{location}</code>
            </dd>
          </>
        )}
        <dt>World</dt>
        <dd>
          namespace {namespace}, clock {clock.mode} at <time>{clock.now}</time>
        </dd>
        <dt>Saved</dt>
        <dd>
          <time>{saved_at}</time> by messaging-sandbox {version}
        </dd>
        {snapshot && (
          <>
            <dt>Continue from there</dt>
            <dd>
              <code>sandbox start --memory --snapshot {shellPath(snapshot)}</code>
            </dd>
          </>
        )}
      </dl>
      {without_bodies > 0 && (
        <p class="note">The bodies of {without_bodies} items were left out, oldest first, to keep this page small.</p>
      )}
      <p class="note">
        Each row shows the time on the world’s clock, then on the machine’s; ≈ marks times derived from the requests
        around them.
      </p>
    </header>
  )
}
