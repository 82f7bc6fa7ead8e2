import { redactSecrets } from '../../words/redact.ts'
import { VERSION } from '../../words/version.ts'
import { dataOf, standalonePage } from '../../world/file/standalone-page.ts'
import type { Gathered } from './gather.ts'
import type { Evidence, Item } from './item.ts'
import { inOrder } from './order.ts'
import { entriesOf } from './timeline.ts'
import type { Trouble } from './trouble.ts'

/** The size limit of a page's data in bytes, so that it opens at once and can be attached. */
const MAX_BYTES = 1_800_000

export interface PageAbout {
  title: string
  error?: string | undefined
  location?: string | undefined
  /** The snapshot file, as the user types it. */
  snapshot?: string | undefined
}

export const pageOf = (gathered: Gathered, trouble: Trouble, about: PageAbout, savedAt: string): Promise<string> => {
  const data = evidenceOf(gathered, trouble, about, savedAt)
  return standalonePage({ bundle: 'evidence', title: data.title, data })
}

function evidenceOf(
  gathered: Gathered,
  { lines }: Trouble,
  { title, error, location, snapshot }: PageAbout,
  savedAt: string,
): Evidence {
  const { namespace, clock, requests } = gathered
  const items = inOrder(entriesOf(gathered), requests, savedAt)
  return {
    title: redactSecrets(title),
    error: error === undefined ? null : redactSecrets(error),
    location: location ?? null,
    trouble: lines.map(redactSecrets),
    version: VERSION,
    ...{ namespace, clock: { mode: clock.mode, now: clock.now }, saved_at: savedAt, snapshot: snapshot ?? null },
    ...fitting(items, MAX_BYTES),
  }
}

/** Drops bodies to fit the limit: the oldest first, those of failures last. */
function fitting(items: readonly Item[], maxBytes: number): Pick<Evidence, 'items' | 'without_bodies'> {
  const sizes = items.map((item) => Buffer.byteLength(dataOf(item)))
  let excess = sizes.reduce((sum, size) => sum + size, 0) - maxBytes
  const left = new Set<Item>()
  for (const tones of [['good', 'neutral'], ['bad']])
    for (const item of items) {
      if (excess <= 0) break
      if (!tones.includes(item.tone) || item.bodies.length === 0) continue
      excess -= Buffer.byteLength(dataOf(item.bodies))
      left.add(item)
    }
  return {
    items: items.map((item) => (left.has(item) ? { ...item, bodies: [] } : item)),
    without_bodies: left.size,
  }
}
