import { useState } from 'preact/hooks'
import type { Fact, Item } from '../../controls/evidence/item.ts'

/** One item; its causes unfold. */
export function Row({ item }: { item: Item }) {
  const { kind, at, machine_at, is_estimated, title, tone, facts, bodies } = item
  const [isOpen, setOpen] = useState(tone === 'bad')
  return (
    <li class={`item ${kind} ${tone}`}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <time dateTime={at}>{clockTime(at)}</time>
          <time class="machine" dateTime={machine_at} title={machine_at}>
            {is_estimated ? '≈ ' : ''}
            {machine_at.slice(11, 23)}
          </time>
          <span class="kind">{kind}</span>
          <span class="title">{title}</span>
        </summary>
        {isOpen && (
          <div class="details">
            {facts.length > 0 && <Facts facts={facts} />}
            {bodies.map(({ label, text }) => (
              <figure key={label}>
                <figcaption>{label}</figcaption>
                <pre>{text}</pre>
              </figure>
            ))}
          </div>
        )}
      </details>
    </li>
  )
}

const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl>
    {facts.map(({ label, text }, i) => (
      <div key={i}>
        <dt>{label}</dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
)

/** `2026-01-01T00:00:00.000Z` → `2026-01-01 00:00:00.000` */
const clockTime = (at: string) => at.replace('T', ' ').replace('Z', '')
