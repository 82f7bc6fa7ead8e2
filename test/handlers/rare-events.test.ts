import { isUtf8 } from 'node:buffer'
import { expect, test } from 'vitest'
import type { Webhook } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { sign } from '../../src/http/signature.ts'
import { createClient } from '../../src/index.ts'
import { isStop } from '../../src/words/stop.ts'
import { DEFAULT_AGENT } from '../../src/words/worlds.ts'

interface Event {
  id: string
  event: string
  timestamp: string
  data: Record<string, string> & { user_message?: { text: string; postback_data: string | null } }
}

/** How an application works; each habit is correct by default. */
interface Habits {
  counter?: (name: string) => string
  postbacks?: (data: string) => string[]
  consent?: (status: string, before: string | undefined) => string
  /** Reads an event before the work; what it throws is answered with 500. */
  read?: (event: Event) => unknown
  suppresses?: (event: Event) => string[]
  /** Whether the id of an event is too old to be kept, at the time of the newest event. */
  forgets?: (event: Event, arrivedAt: number, newest: number) => boolean
}

const RANK = ['queued', 'delivered', 'opened', 'clicked', 'read', 'failed', 'expired', 'revoked', 'bounced']
const DAY = 86_400_000
const decoded = (data: string) => Buffer.from(data, 'base64')

function application({
  counter = (name) => name,
  postbacks = (data) => [decoded(data).toString()],
  consent = (status) => status,
  read = () => {},
  suppresses = () => [],
  forgets = () => false,
}: Habits = {}) {
  const state = {
    messages: {} as Record<string, string>,
    consent: {} as Record<string, Record<string, string>>,
    suppressed: {} as Record<string, boolean>,
    replies: {} as Record<string, number>,
    postbacks: {} as Record<string, string[]>,
    counts: {} as Record<string, number>,
  }
  const ids = new Map<string, { event: Event; arrivedAt: number }>()
  const changedAt = new Map<string, string>()
  const deleted = new Set<string>()
  let newest = 0

  function work(event: Event) {
    const { event: name, timestamp, data } = event
    const { message_id, contact_id, channel_type, message_type, from, user_message } = data
    state.counts[counter(name)] = (state.counts[counter(name)] ?? 0) + 1
    const status = name.split('.')[1]!
    if (message_id && RANK.indexOf(status) > RANK.indexOf(state.messages[message_id]!))
      state.messages[message_id] = status
    if (/unsubscribed|complained/.test(name) || data.bounce_type === 'hard') state.suppressed[data.to!] = true
    for (const address of suppresses(event)) state.suppressed[address] = true
    if (name === 'contact.deleted') {
      deleted.add(contact_id!)
      delete state.consent[contact_id!]
    }
    const record = `${channel_type}/${message_type}`
    if (/^consent\.(created|updated)/.test(name) && !deleted.has(contact_id!)) {
      if (timestamp < (changedAt.get(contact_id + record) ?? '')) return
      changedAt.set(contact_id + record, timestamp)
      const records = state.consent[contact_id!]
      state.consent[contact_id!] = { ...records, [record]: consent(data.status!, records?.[record]) }
    }
    if (!user_message) return
    state.replies[from!] = (state.replies[from!] ?? 0) + 1
    if (isStop(user_message.text)) state.suppressed[from!] = true
    if (user_message.postback_data)
      state.postbacks[from!] = [...(state.postbacks[from!] ?? []), ...postbacks(user_message.postback_data)]
  }

  return {
    truth: () => state,
    handler({ headers, body }: Webhook) {
      if (headers['x-service-signature'] !== sign('whsec_explore', body)) return 401
      const event: Event = JSON.parse(body)
      read(event)
      newest = Math.max(newest, Date.parse(event.timestamp))
      if (ids.has(event.id)) return 200
      ids.set(event.id, { event, arrivedAt: newest })
      for (const [id, one] of ids) if (forgets(one.event, one.arrivedAt, newest)) ids.delete(id)
      work(event)
      return 200
    },
  }
}

const WRONG: readonly [what: string, flow: string, Habits][] = [
  ['counts a failed reload as a success', 'low-balance', { counter: (name) => name.replace('d_failed', 'd_success') }],
  [
    'decodes postback data strictly',
    'tap',
    {
      read: ({ data }) =>
        new TextDecoder('utf-8', { fatal: true }).decode(decoded(data.user_message?.postback_data ?? '')),
    },
  ],
  [
    'needs the name of an agent',
    'agent-review',
    { read: ({ event, data }) => event === 'agent.approved' && data.display_name!.trim() },
  ],
  [
    'needs the agent of what has expired',
    'expiry',
    { read: ({ event, data }) => event === 'message.expired' && data.agent_id!.trim() },
  ],
  [
    'needs the agent of what was revoked',
    'revocation',
    { read: ({ event, data }) => event === 'message.revoked' && data.agent_id!.trim() },
  ],
  [
    'takes the id of a contact for a number',
    'returning-contact',
    { read: ({ data }) => data.external_id && BigInt(data.external_id) },
  ],
  [
    'needs the email address of an imported contact',
    'new-address',
    { read: ({ event, data }) => event === 'contact.imported' && data.email!.trim() },
  ],
  [
    'knows only what mailboxes do to a contact',
    'deleted-contact',
    {
      read({ event, data }) {
        if (event === 'contact.updated' && !['ACTIVE', 'UNSUBSCRIBED', 'BOUNCED'].includes(data.status!)) throw Error()
      },
    },
  ],
  [
    'does not ask twice for a consent',
    'consent-renewed',
    { consent: (status, before) => (status === 'PENDING' ? (before ?? status) : status) },
  ],
]

test.each(WRONG)('an application that %s is found without a disturbance', async (_, flow, habits) => {
  const options = { flows: [flow], seed: 'r', settleMs: 20, disturbances: [] }
  const { failure } = await explore({ ...application(habits), ...options })
  expect(failure?.flow).toBe(flow)
  expect(failure!.schedule.perturbations).toEqual([])
})

test('an application that keeps no ids of old events is found by an outage', async () => {
  const forgets: Habits['forgets'] = ({ timestamp }, _, newest) => Date.parse(timestamp) < newest - 2 * DAY
  const options = {
    flows: ['order-notification'],
    seed: 'r',
    settleMs: 20,
    disturbances: ['outage', 'duplicate'],
  } as const
  const { failure } = await explore({ ...application({ forgets }), ...options })
  expect(failure).toMatchObject({ findings: [{ where: 'counts' }] })
  expect(failure!.schedule.perturbations.map(({ kind }) => kind).toSorted()).toEqual(['duplicate', 'outage'])
  expect(failure!.remedies.join()).toContain('two days from its arrival')
})

const forgetsAfterArrival: Habits['forgets'] = (_, arrivedAt, newest) => arrivedAt < newest - 2 * DAY
const suppressesBlocked: Habits['suppresses'] = ({ data }) =>
  data.status === 'BLOCKED' ? [data.phone!, data.email!] : []

const RIGHT: readonly [what: string, Habits][] = [
  [
    'keeps in base64 what is no text, and forgets ids two days after their arrival',
    {
      postbacks: (data) => [isUtf8(decoded(data)) ? decoded(data).toString() : data],
      forgets: forgetsAfterArrival,
    },
  ],
  [
    'keeps no binary postback data, and suppresses blocked contacts',
    {
      postbacks: (data) => (isUtf8(decoded(data)) ? [decoded(data).toString()] : []),
      suppresses: suppressesBlocked,
    },
  ],
]

const flows = [...new Set(WRONG.map(([, flow]) => flow))]

test.each(RIGHT)('an application that %s is not blamed', async (_, habits) => {
  const { failure, unrepeated } = await explore({
    ...application(habits),
    flows,
    seed: 'r',
    settleMs: 20,
    idleSeconds: 0,
    schedules: 150,
  })
  expect(failure?.story).toBeUndefined()
  expect(unrepeated).toEqual([])
})

test.each([
  ['read', 'deleted-contact', '*'],
  ['read', 'deleted-contact', 'message.*'],
  ['expired', 'expiry', '*'],
])(
  'an application that answers what was %s by RCS only is not blamed (%s, events %s)',
  async (status, flow, events) => {
    const refused: string[] = []
    const { failure, audited } = await explore({
      ...{
        flows: [flow],
        events: [events],
        seed: 'r',
        settleMs: 20,
        schedules: 30,
        disturbances: ['duplicate', 'delay'],
      },
      truth: () => ({ sends: { [`message.${status}`]: 1 } }),
      async handler({ body }, environment) {
        const { event, data, id }: Event = JSON.parse(body)
        if (event !== `message.${status}` || !data.agent_id) return 200
        const kind = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
        await createClient(environment)
          .messages.send(
            { agent_id: DEFAULT_AGENT, to: data.to!, ...kind, content: { text: 'Once more' } },
            { idempotencyKey: id.slice(4) },
          )
          .catch(({ code }) => refused.push(code))
        return 200
      },
    })
    expect(failure?.story).toBeUndefined()
    expect(audited).toBe(true)
    expect(refused.includes('recipient_suppressed')).toBe(flow === 'deleted-contact')
  },
)

test('an endpoint gets only what it is subscribed to, whichever variant of a flow is played', async () => {
  const received = new Set<string>()
  const only = 'billing.auto_reload_success'
  const { failure } = await explore({
    ...{ flows: ['low-balance'], events: [only], seed: 'r', settleMs: 20, schedules: 20, disturbances: ['duplicate'] },
    truth: () => ({ counts: {} }),
    handler({ body }) {
      received.add(JSON.parse(body).event)
      return 200
    },
  })
  expect(failure).toBeNull()
  expect([...received]).toEqual([only])
})
