import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { channels, phone, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { reasonAt } from './explained.ts'

/** A network on which everything can happen. */
const mixed = () =>
  worldLikeDefault((file) => {
    file.preview = { sms: true }
    for (const contact of file.contacts) if (contact.phone) contact.consent = [...(contact.consent ?? []), sms]
    for (const carrier of file.carriers) {
      carrier.failed = { UNKNOWN_RCS_USER: 0.2, REJECTED_SPAM: 0.1 }
      carrier.never_delivered = 0.2
    }
    file.mail = { ...file.mail, bounced: 0.3, opened: 0.5, clicked: 0.5, complained: 0.2 }
  })
const sms = { channel_type: 'SMS', message_type: 'MESSAGE', status: 'GRANTED', source: 'test' }

const link = { html: '<a href="https://example.com">Look</a>' }
const bodies = [
  (i: number) => ({ ...rcsText, to: phone(50 + i), ttl: '60s' }),
  (i: number) => ({ channel_id: channels.email, to: `user${i}@example.com`, subject: 'Hi', content: link, ttl: '60s' }),
  (i: number) => ({ channel_id: channels.sms, to: phone(50 + i), content: { text: 'Hi' }, ttl: '60s' }),
]

const OUTCOMES: Readonly<Record<string, string>> = { expired: 'never delivered', bounced: 'bounced' }

test('the draws that an explanation shows lead to what has happened, on every channel', async () => {
  await using sandbox = await createSandbox({ world: await mixed() })
  const { client, clock } = sandbox
  const ids: string[] = []
  for (let i = 0; i < 40; i++)
    for (const body of bodies) ids.push((await client.messages.send(body(i) as never)).message_id)
  await clock.advance('1h')
  const seen = new Set<string>()
  for (const id of ids) {
    const { status, channel, failure_reason, events } = await client.messages.get(id)
    const explained = await client.messages.explain(id)
    const planned = reasonAt(explained, 'planned', 'draw')
    seen.add(`${channel} ${status}`)
    const isOnlyOfRcs = channel === 'SMS' && planned.startsWith('UNKNOWN_RCS_USER')
    const expected = isOnlyOfRcs ? 'UNKNOWN_RCS_USER' : (failure_reason ?? OUTCOMES[status] ?? 'delivered')
    expect(planned, id).toMatch(new RegExp(`^${expected}: draw`))
    expect(explained.steps.at(-1)!.because.length, id).toBeGreaterThan(0)
    const stamps = explained.steps.map(({ what, at }) => `${what} ${at}`)
    for (const { type, at } of events.slice(2)) expect(stamps).toContain(`${type} ${at}`)
    if (isOnlyOfRcs) expect(reasonAt(explained, 'delivered', 'carrier')).toContain('an SMS arrives')
  }
  const all = [
    'RCS failed',
    'RCS expired',
    'RCS delivered',
    'EMAIL bounced',
    'EMAIL clicked',
    'EMAIL opened',
    'EMAIL delivered',
  ]
  expect([...seen]).toEqual(expect.arrayContaining([...all, 'SMS delivered', 'SMS failed', 'SMS expired']))
})
