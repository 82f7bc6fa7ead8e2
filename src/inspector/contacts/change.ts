import type { ListedEvent } from '../api/log.ts'

type Fields = Readonly<Record<string, unknown>>
type Row = Pick<ListedEvent, 'event'> & { data: object }

/** The fields of a contact in its events. */
const SHOWN = ['status', 'phone', 'email', 'external_id'] as const

/** What an event of a contact or of a consent record changed. An earlier event of the contact tells from what. */
export function changeIn({ event, data }: Row, earlier: readonly Row[]): string {
  const now = data as Fields
  if (now.channel_type !== undefined) {
    // After a revocation, the source is still that of the grant.
    const source = now.status === 'REVOKED' ? '' : `, source: ${now.source}`
    return `${now.channel_type} ${now.message_type}: ${step(now.previous_status, now.status)}${source}`
  }
  if (event !== 'contact.updated') return ''
  const before = earlier.find(
    (one) => one.event.startsWith('contact.') && (one.data as Fields).contact_id === now.contact_id,
  )?.data as Fields | undefined
  if (!before) return `status: ${now.status}`
  const changed = SHOWN.filter((name) => before[name] !== now[name])
  return changed.map((name) => `${name}: ${step(before[name] ?? 'none', now[name] ?? 'none')}`).join(', ') || OTHERS
}

const step = (from: unknown, to: unknown) => (from ? `${from} → ${to}` : String(to))

/** Fields that no event has. */
const OTHERS = 'name, tags or custom fields'
