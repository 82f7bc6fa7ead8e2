import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { paceInWords } from '../../src/cli/commands/explore/tell.ts'
import type { Environment, Webhook } from '../../src/handlers/explore/application.ts'
import { copier, spaced, timeOf } from '../../src/handlers/explore/copies.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { openFlowSandbox } from '../../src/handlers/explore/flow-sandbox.ts'
import { builtInFlows } from '../../src/handlers/explore/flows/index.ts'
import type { SearchPace } from '../../src/handlers/explore/options.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { sign } from '../../src/http/signature.ts'
import { type Application, createClient } from '../../src/index.ts'
import type { Perturbation, SavedSchedule } from '../../src/scenarios/deliveries.ts'
import { recordingOf } from '../../src/scenarios/record.ts'
import { isStop } from '../../src/words/stop.ts'
import { DEFAULT_AGENT } from '../../src/words/worlds.ts'
import { urlOf } from '../url-of.ts'
import { shop } from './shop.ts'

const file = new URL('../../fixtures/handlers/variants.mjs', import.meta.url).href
const { variants }: { variants: Record<string, () => Application & { stop?: () => void }> } = await import(file)

const timestampOf = ({ body }: { body: string }) => Date.parse(JSON.parse(body).timestamp)

test.concurrent.for(Object.entries(variants))(
  'a correct handler that %s is not blamed',
  async ([, make], { expect, onTestFinished }) => {
    const application = make()
    onTestFinished(() => application.stop?.())
    const { failure } = await explore({
      ...application,
      flows: ['order-notification', 'opt-out', 'conversation', 'opened-and-clicked'],
      schedules: 40,
      seed: 'v',
      idleSeconds: 0,
    })
    expect(failure?.story).toBeUndefined()
  },
)

test('a correct handler whose first call is about a crowd, which the service does not know, is not blamed', async () => {
  const { failure, audited } = await explore({
    ...variants['is idempotent by key']!(),
    schedule: {
      ...{ flow: 'opt-out', draw: 's.opt-out.0', events: [0, 1, 2, 3, 4, 5] },
      ...{ perturbations: [], crowd: true, sends: true },
    },
    settleMs: 20,
  })
  expect(failure?.story).toBeUndefined()
  expect(audited).toBe(true)
})

test('a STOP that arrives together with an event of another person waits for the answers before both', async () => {
  const { failure, audited } = await explore({
    ...variants['answers one after the other']!(),
    schedule: {
      ...{ flow: 'two-people', draw: 's.two-people.0', events: [...Array(13).keys()] },
      ...{ perturbations: [{ kind: 'together', event: 11 }], twice: true },
    },
    settleMs: 100,
  })
  expect(failure?.story).toBeUndefined()
  expect(audited).toBe(true)
})

test.each([1, 32])('%i people whose calls all wait until the balance is reloaded are answered then', async (people) => {
  const { failure, audited } = await explore({
    ...variants['answers one after the other']!(),
    schedule: {
      ...{ flow: 'late-reload', draw: 's.late-reload.0', events: [0, 1, 2, 3, 4, 5] },
      ...{ perturbations: [{ kind: 'failed-call', event: 4, answer: '402' }], ...(people > 1 && { crowd: true }) },
    },
    settleMs: 100,
  })
  expect(failure?.story).toBeUndefined()
  expect(audited).toBe(true)
})

const flowSandbox = await openFlowSandbox('v', { isTaken: () => false })
afterAll(() => flowSandbox.sandbox.stop())

test('the events of one person have distinct timestamps, and copies have new people and ids', async () => {
  const flow = builtInFlows.find(({ name }) => name === 'unsubscription')!
  const events = await flowSandbox.record(flow, 'v.0')
  const gaps = events.slice(1).map((event, i) => timestampOf(event) - timestampOf(events[i]!))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000)
  expect(spaced(events)).toEqual(events)
  const copy = copier('v', () => ({ phone: '+4917139200999', email: 'new@example.test' }), Date.now)(events)
  const idsIn = (list: readonly { body: string }[]) => new Set(list.map(({ body }) => JSON.parse(body).id))
  expect([...idsIn(copy)].filter((id) => idsIn(events).has(id))).toEqual([])
  expect(copy.map(({ event }) => event)).toEqual(events.map(({ event }) => event))
  expect(JSON.stringify(copy)).not.toContain('person-')
})

test('a copy has a campaign of its own, which its events share', async () => {
  const campaignsIn = (list: readonly { body: string }[]) =>
    new Set(list.flatMap(({ body }) => JSON.parse(body).data.campaign_id ?? []))
  const events = await flowSandbox.record(builtInFlows.find(({ name }) => name === 'paused-campaign')!, 'v.0')
  const copied = campaignsIn(flowSandbox.copy(events))
  expect(copied.size).toBe(1)
  expect(copied).not.toEqual(campaignsIn(events))
})

test.each(builtInFlows.filter(({ isQuick }) => isQuick))(
  'the events of $name are distinct within a second',
  async (flow) => {
    const times = (await flowSandbox.record(flow, 'v.0')).map(timestampOf)
    expect(new Set(times).size).toBe(times.length)
    expect(new Set(times.map((time) => Math.floor(time / 1_000))).size).toBe(1)
  },
)

test('addresses of two people that differ in one part only still do in a copy and in a saved schedule', async () => {
  const flow = builtInFlows.find(({ name }) => name === 'two-people')!
  const events = await flowSandbox.record(flow, 'v.0')
  const addressesIn = (text: string) => [...new Set(text.match(/\+\d{15}|person-[^"\s]+/g))]
  const saved = recordingOf(await flowSandbox.callsOf(flow, 'v.0'), flow.summary).text
  const again = await flowSandbox.record(flowOf(saved, 'saved.yaml'), 'v.0')
  for (const list of [events, flowSandbox.copy(events), again]) {
    const addresses = addressesIn(list.map(({ body }) => body).join())
    const own = addresses.filter((address) => /^\+49|news/.test(address))
    expect(own.length).toBe(2)
    expect(addresses.filter((address) => !own.includes(address))).toEqual(
      own.map((address) => address.replace('+49', '+43').replace('news', 'offers')),
    )
  }
})

test('a flow that runs thousands of times in one world does not run out of money', async () => {
  const flow = builtInFlows.find(({ name }) => name === 'opt-out')!
  const events = await flowSandbox.record(flow, 'v.0')
  await flowSandbox.sandbox.client.billing.setBalance({ free: 0 })
  expect(await flowSandbox.record(flow, 'v.0')).toHaveLength(events.length)
})

test('what happens to two people at once has one timestamp, and what happens to one of them distinct ones', async () => {
  const events = await flowSandbox.record(builtInFlows.find(({ name }) => name === 'two-people')!, 'v.0')
  const texts = events.filter(({ event }) => event === 'conversation.started')
  const [reply, other, stop] = texts.map((event) => ({
    at: timestampOf(event),
    from: JSON.parse(event.body).data.from,
  }))
  expect(reply!.at).toBe(other!.at)
  expect(reply!.from).not.toBe(other!.from)
  expect(stop!.at).toBeGreaterThanOrEqual(reply!.at + 1_000)
  expect(spaced(events)).toEqual(events)
})

test('a search begins with the events that the application counts', async () => {
  const counts: Record<string, number> = {}
  const played: string[] = []
  const { failure, unrepeated } = await explore({
    ...{ flows: ['opt-out', 'complaint', 'bounce', 'low-balance'], seed: 'v', settleMs: 20, idleSeconds: 0 },
    disturbances: ['restart', 'duplicate'],
    truth: () => ({ counts }),
    handler({ body }) {
      const { event } = JSON.parse(body)
      if (event === 'billing.balance_low') counts[event] = (counts[event] ?? 0) + 1
      return 200
    },
    restart() {
      counts['billing.balance_low'] = 0
    },
    onSchedule: (_, flow) => played.push(flow),
  })
  expect(failure?.flow).toBe('low-balance')
  // All flows with their variants, and the first disturbances.
  expect(played).toEqual(['opt-out', 'low-balance'])
  expect(unrepeated).toEqual([])
})

test('a forgery of an event with new values has other bytes, which a correct handler refuses', async () => {
  const schedule = (kind: 'new-value' | 'forgery') => ({ kind, event: 0 })
  const { failure } = await explore({
    ...shop(),
    settleMs: 20,
    schedule: {
      flow: 'tap',
      draw: 's.tap.0',
      events: [0],
      perturbations: [schedule('new-value'), schedule('forgery')],
    },
  })
  expect(failure?.story).toBeUndefined()
})

test('a newsletter to somebody who has not confirmed is found', async () => {
  const phones = new Map<string, string>()
  const { failure } = await explore({
    ...{ flows: ['opt-in-pending'], schedules: 3, settleMs: 20, disturbances: [], truth: () => ({}) },
    async handler({ body }, environment) {
      const { event, data, id } = JSON.parse(body)
      if (event === 'contact.created') phones.set(data.contact_id, data.phone)
      if (event !== 'consent.created' || data.channel_type !== 'RCS') return 200
      const kind = { message_type: 'NEWSLETTER', traffic_type: 'PROMOTION' } as const
      const welcome = { agent_id: DEFAULT_AGENT, to: phones.get(data.contact_id)!, ...kind, content: { text: 'Hi' } }
      await createClient(environment)
        .messages.send(welcome, { idempotencyKey: id.slice(4) })
        .catch(() => {})
      return 200
    },
  })
  expect(failure?.findings).toMatchObject([{ code: 'newsletter-before-double-opt-in' }])
})

test('a send that was due in an earlier schedule is not judged by the events of a later one', async () => {
  const due: { to: string; idempotencyKey: string }[] = []
  const answers: string[] = []
  let client: ReturnType<typeof createClient>
  const { failure, unrepeated } = await explore({
    ...{ flows: ['open-conversation'], schedules: 4, disturbances: ['restart'], seed: 'v', settleMs: 20 },
    truth: () => ({}),
    async handler({ body }, environment) {
      const { event, data, id } = JSON.parse(body)
      client = createClient(environment)
      await client.billing.balance()
      if (event === 'conversation.started') due.push({ to: data.from, idempotencyKey: id.slice(4) })
      return 200
    },
    // Its worker runs only after a start: for people of an earlier schedule when their session has ended.
    async restart() {
      for (const { to, idempotencyKey } of due.splice(0)) {
        const kind = { message_type: 'CONVERSATION', traffic_type: 'SERVICEREQUEST' } as const
        const answer = { agent_id: DEFAULT_AGENT, to, ...kind, content: { text: 'Thank you' } }
        await client.messages.send(answer, { idempotencyKey }).catch(({ code }) => answers.push(code))
      }
    },
  })
  expect(answers).toContain('no_active_session')
  expect(failure?.story).toBeUndefined()
  expect(unrepeated).toEqual([])
})

test('a click that does not replace an opening is found without a disturbance', async () => {
  const rank = ['queued', 'delivered', 'clicked', 'opened']
  const messages: Record<string, string> = {}
  const { failure } = await explore({
    ...{ flows: ['opened-and-clicked'], schedules: 2, settleMs: 20, disturbances: [] },
    truth: () => ({ messages }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      const status = event.split('.')[1]
      if (rank.indexOf(status) > rank.indexOf(messages[data.message_id] ?? '')) messages[data.message_id] = status
      return 200
    },
  })
  expect(failure?.findings[0]).toMatchObject({
    message: expect.stringContaining('the application says "opened", the truth is "clicked"'),
  })
})

/** An application that keeps statuses by `key`, which must be the id of the record itself. */
function keptBy(key: 'to' | 'phone' | 'campaign_id', isRight: boolean) {
  const newest: Record<string, string> = {}
  const statuses: Record<string, string> = {}
  const phones: Record<string, string> = {}
  const keptAs = (id: string, by: string, status: string) => {
    if (!isRight && newest[by] !== undefined && newest[by] !== id) delete statuses[newest[by]!]
    newest[by] = id
    statuses[id] = status
  }
  return {
    truth() {
      if (key === 'to') return { messages: statuses }
      if (key === 'campaign_id') return { campaigns: statuses }
      return {
        consent: Object.fromEntries(Object.entries(statuses).map(([id, one]) => [id, { 'RCS/MESSAGE': one }])),
      }
    },
    handler({ body }: { body: string }) {
      const { event, data } = JSON.parse(body)
      if (data.phone) phones[data.contact_id] = data.phone
      if (key === 'to' && data.message_id) keptAs(data.message_id, data.to, event.split('.')[1])
      if (key === 'campaign_id' && data.run_id) keptAs(data.run_id, data.campaign_id, data.status)
      if (key === 'phone' && data.consent_record_id) keptAs(data.contact_id, phones[data.contact_id]!, data.status)
      if (key === 'phone' && event === 'contact.deleted')
        delete statuses[isRight ? data.contact_id : newest[phones[data.contact_id]!]!]
      return 200
    },
  }
}

test.each([
  ['a message by its recipient', 'to', 'expiry', []],
  ['a run by its campaign', 'campaign_id', 'repeated-campaign', []],
  ['a contact by its phone number', 'phone', 'returning-contact', [{ kind: 'delay', event: 2, after: 2 }]],
] as const)('an application that knows %s is found', async (_, key, flow, perturbations) => {
  const events = Array.from({ length: flow === 'expiry' ? 6 : 5 }, (__, i) => i)
  const schedule = { flow, draw: `v.${flow}.0`, events, perturbations: [...perturbations] }
  const play = async (isRight: boolean) => (await explore({ ...keptBy(key, isRight), schedule, settleMs: 20 })).failure
  expect((await play(true))?.story).toBeUndefined()
  expect((await play(false))?.findings[0]?.code).toBe('belief-differs')
})

test('a campaign status that is taken from the name of its event is found', async () => {
  const campaigns: Record<string, string> = {}
  const statuses: Record<string, string> = { started: 'RUNNING', resumed: 'RUNNING', paused: 'PAUSED' }
  const wrong = {
    truth: () => ({ campaigns }),
    handler({ body }: { body: string }) {
      const { event, data } = JSON.parse(body)
      const [family, name] = event.split('.')
      if (family === 'campaign') campaigns[data.run_id] = statuses[name] ?? 'COMPLETED'
      return 200
    },
  }
  const messageOf = async (flow: string) =>
    (await explore({ ...wrong, flows: [flow], schedules: 3, settleMs: 20 })).failure?.findings[0]?.message
  expect(await messageOf('campaign-on-hold')).toMatch(/the application says "PAUSED", the truth is "PAUSED_\w+"/)
  expect(await messageOf('partial-campaign')).toContain(
    'the application says "COMPLETED", the truth is "COMPLETED_PARTIAL"',
  )
})

test('two older events that arrive after the one that ends their subject are found, and named as the only two', async () => {
  const contacts = new Map<string, 'known' | 'deleted'>()
  const consent: Record<string, Record<string, string>> = {}
  const { failure } = await explore({
    ...{ flows: ['deleted-contact'], disturbances: ['delay'], settleMs: 20, seed: 's' },
    truth: () => ({ consent }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      const id = data.contact_id
      if (event === 'contact.created' && !contacts.has(id)) contacts.set(id, 'known')
      if (event === 'consent.created' && contacts.get(id) !== 'deleted') consent[id] = { 'RCS/MESSAGE': data.status }
      if (event === 'contact.deleted') delete consent[id]
      // It forgets the deletion of a contact that it does not know yet.
      if (event === 'contact.deleted' && contacts.has(id)) contacts.set(id, 'deleted')
      return 200
    },
  })
  expect(failure?.schedule.perturbations).toEqual([
    // Before the other one or after it.
    { kind: 'delay', event: 0, after: expect.toBeOneOf([5, 6]) },
    { kind: 'delay', event: 1, after: 4 },
  ])
})

test('a run without a seed draws a new one', async () => {
  const play = () => explore({ ...shop(), flows: ['opt-in-pending'], schedules: 1 })
  const [one, other] = [await play(), await play()]
  expect(one.seed).not.toBe(other.seed)
})

interface Event {
  id: string
  event: string
  data: { from: string; agent_id: string; message_id?: string; user_message: { text: string } }
}

/** An application that keeps the texts of replies, with a bug. */
function desk(
  bug: {
    store?: (text: string) => string
    key?: (phone: string) => string
    remembers?: number
    forgetsMs?: number
  } = {},
) {
  const texts: Record<string, string[]> = {}
  const seen = new Set<string>()
  return {
    truth: () => ({ texts, pending: 0, 'x-seen': seen.size }),
    handler({ body }: { body: string }) {
      const { id, event, data }: Event = JSON.parse(body)
      if (seen.has(id)) return 200
      seen.add(id)
      if (bug.remembers && seen.size > bug.remembers) seen.delete(seen.values().next().value!)
      if (bug.forgetsMs) setTimeout(() => seen.delete(id), bug.forgetsMs)
      if (event !== 'conversation.started') return 200
      const phone = bug.key?.(data.from) ?? data.from
      texts[phone] = [...(texts[phone] ?? []), bug.store?.(data.user_message.text) ?? data.user_message.text]
      return 200
    },
  }
}

const tapThen = (perturbation: Perturbation): SavedSchedule => ({
  ...{ flow: 'tap', draw: 'v.tap.0', events: [0, 1, 2, 3, 4, 5] },
  perturbations: [perturbation],
})

test('a text that is stored in another encoding is found', async () => {
  const wrong = desk({ store: (text) => text.replace(/[^ -~]/g, '?') })
  const { failure } = await explore({ ...wrong, flows: ['conversation'], schedules: 1, settleMs: 20 })
  expect(failure?.findings[0]).toMatchObject({ code: 'belief-differs', where: 'texts' })
})

test.each([
  ['line breaks', (text: string) => text.replaceAll('\r\n', '\n')],
  ['quotation marks', (text: string) => text.replace(/[\u2019\u201c]/g, "'")],
])('a text whose %s are changed is found', async (_, store) => {
  const { failure } = await explore({ ...desk({ store }), flows: ['texts'], schedules: 2, settleMs: 20 })
  expect(failure?.findings[0]).toMatchObject({ code: 'belief-differs', where: 'texts' })
})

test('a STOP that is forgotten when the session ends is found', async () => {
  const suppressed: Record<string, boolean> = {}
  const { failure } = await explore({
    ...{ flows: ['stopped-session'], schedules: 1, settleMs: 20 },
    truth: () => ({ suppressed }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (event === 'conversation.started') suppressed[data.from] = true
      if (event === 'conversation.ended') delete suppressed[data.with]
      return 200
    },
  })
  expect(failure?.findings[0]).toMatchObject({ code: 'belief-differs', where: 'suppressed' })
})

interface ReceivedEvent {
  event: string
  data: Record<string, string> & { user_message: { text: string } }
}

/** An application that suppresses contacts with their addresses. */
function optOuts({
  forgets = (_: ReceivedEvent): string | false | undefined => false,
  suppresses = (_: ReceivedEvent): string | false | undefined => false,
  keeps = '',
} = {}) {
  const contacts = new Map<string, string[]>()
  const suppressed: Record<string, boolean> = {}
  const addressesOf = (address: string) =>
    keeps === '' ? [address] : ([...contacts.values()].find((own) => own.includes(address)) ?? [])
  return {
    truth: () => ({ suppressed }),
    handler({ body }: { body: string }) {
      const received: ReceivedEvent = JSON.parse(body)
      const { event, data } = received
      const { contact_id = '', phone, email, from, to, bounce_type } = data
      if (phone && (keeps === '' || !contacts.has(contact_id))) contacts.set(contact_id, [phone, email!])
      if (event === 'conversation.started' && isStop(data.user_message.text))
        for (const one of addressesOf(from!)) suppressed[one] = true
      if (bounce_type === 'hard') for (const one of addressesOf(to!)) suppressed[one] = true
      for (const one of contacts.get(suppresses(received) || '') ?? []) suppressed[one] = true
      for (const one of contacts.get(forgets(received) || '') ?? []) delete suppressed[one]
      return 200
    },
  }
}

test('an application that does not know imported contacts is found by a STOP', async () => {
  const [phones, suppressed] = [new Set<string>(), {} as Record<string, boolean>]
  const { failure } = await explore({
    ...{ flows: ['one-address'], schedules: 3, settleMs: 20 },
    truth: () => ({ suppressed }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (event === 'contact.created') phones.add(data.phone)
      if (event === 'conversation.started' && phones.has(data.from)) suppressed[data.from] = true
      return 200
    },
  })
  expect(failure?.findings[0]).toMatchObject({ code: 'belief-differs', where: 'suppressed' })
})

test.each([
  ['a refusal', /^(stop|no)$/i],
  ['a line of a text', /^stop$/im],
])('%s that is taken for a STOP is found', async (_, stop) => {
  const suppressed: Record<string, boolean> = {}
  const { failure } = await explore({
    ...{ flows: ['no-stop'], schedules: 5, settleMs: 20 },
    truth: () => ({ suppressed }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (event === 'conversation.started' && stop.test(data.user_message.text)) suppressed[data.from] = true
      return 200
    },
  })
  expect(failure?.findings[0]).toMatchObject({ code: 'belief-differs', where: 'suppressed' })
})

test.each([
  [
    'a consent that is granted again',
    'lasting-stop',
    ({ event, data }: ReceivedEvent) => event === 'consent.updated' && data.contact_id,
  ],
  [
    'the deletion of the contact',
    'lasting-stop',
    ({ event, data }: ReceivedEvent) => event === 'contact.deleted' && data.contact_id,
  ],
])('a STOP that is forgotten after %s is found', async (_, flow, endsFor) => {
  const everyVariant = { flows: [flow], disturbances: [], settleMs: 20 }
  const { failure } = await explore({ ...optOuts({ forgets: endsFor }), ...everyVariant })
  expect(failure?.findings[0]).toMatchObject({
    code: 'belief-differs',
    where: 'suppressed',
    message: expect.stringContaining('the truth is true'),
  })
})

test('a revocation of one consent that suppresses the person is found', async () => {
  const application = optOuts({ suppresses: ({ data }) => data.status === 'REVOKED' && data.contact_id })
  const { failure } = await explore({ ...application, flows: ['consent-records'], schedules: 3, settleMs: 20 })
  expect(failure?.findings[0]).toMatchObject({
    code: 'belief-differs',
    where: 'suppressed',
    message: expect.stringContaining('the truth is false'),
  })
})

test('a contact that is looked up by its first address is found by the next one', async () => {
  const isRight = await explore({ ...optOuts(), flows: ['new-address'], schedules: 4, settleMs: 20 })
  expect(isRight.failure?.story).toBeUndefined()
  const application = optOuts({ keeps: 'the first address' })
  const { failure } = await explore({ ...application, flows: ['new-address'], schedules: 4, settleMs: 20 })
  expect(failure?.findings[0]).toMatchObject({ code: 'belief-differs', where: 'suppressed' })
})

test.each([
  ['decodes it', (data: string) => Buffer.from(data, 'base64').toString(), undefined],
  ['stores it undecoded', (data: string) => data, 'belief-differs'],
  ['decodes it as another character set', (data: string) => atob(data), 'belief-differs'],
])('postback data is compared in an application that %s', async (_, decode, code) => {
  const postbacks: Record<string, string[]> = {}
  const { failure } = await explore({
    ...{ flows: ['tap'], schedules: 3, settleMs: 20, truth: () => ({ postbacks }) },
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (event === 'conversation.started' && data.user_message.postback_data)
        postbacks[data.from] = [decode(data.user_message.postback_data)]
      return 200
    },
  })
  expect(failure?.findings[0]?.code).toBe(code)
})

test('an unsubscription that is stored without the tag of its address is found', async () => {
  const suppressed: Record<string, boolean> = {}
  const { failure } = await explore({
    ...{ flows: ['unsubscription'], schedules: 1, settleMs: 20 },
    truth: () => ({ suppressed }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (event === 'email.unsubscribed') suppressed[data.to.replace(/\+[^@]+/, '')] = true
      return 200
    },
  })
  expect(failure?.findings[0]).toMatchObject({ code: 'belief-differs', where: 'suppressed' })
  // The story names the mailbox instead of its address.
  expect(failure?.story).toMatch(/suppressed of mailbox 1: /)
})

test('an application that knows an event by its bytes is found by a repetition in another spelling', async () => {
  const { handler, truth } = desk()
  const seen = new Set<string>()
  let replies = 0
  const { failure, coverage } = await explore({
    ...{ flows: ['tap'], disturbances: ['spelling', 'duplicate'], seed: 'v', settleMs: 20, idleSeconds: 0 },
    truth: () => ({ ...truth(), counts: { 'conversation.started': replies } }),
    handler(webhook) {
      if (!seen.has(webhook.body) && JSON.parse(webhook.body).event === 'conversation.started') replies++
      seen.add(webhook.body)
      return handler(webhook)
    },
  })
  expect(failure?.schedule.perturbations.map(({ kind }) => kind)).toEqual(['spelling', 'duplicate'])
  expect(coverage.random).toBe(0)
})

/** An application that forgets ids of a person: all but the last 20, or those of another day. */
function forgetfulOf(what: 'old ids' | 'yesterday') {
  const seen: Record<string, { id: string; day: string }[]> = {}
  const replies: Record<string, number> = {}
  return {
    truth: () => ({ replies }),
    handler({ body }: { body: string }) {
      const { id, event, timestamp, data } = JSON.parse(body)
      if (event !== 'conversation.started') return 200
      const day = timestamp.slice(0, 10)
      const kept = (seen[data.from] ?? []).filter((one) => what === 'old ids' || one.day === day)
      if (kept.some((one) => one.id === id)) return 200
      seen[data.from] = [...kept, { id, day }].slice(what === 'old ids' ? -20 : 0)
      replies[data.from] = (replies[data.from] ?? 0) + 1
      return 200
    },
  }
}

test.each([
  ['long-conversation', 'old ids'],
  ['turn-of-time', 'yesterday'],
] as const)('the events of %s are repeated, which shows that %s are forgotten', async (flow, what) => {
  const options = { flows: [flow], disturbances: ['history'], seed: 'v', settleMs: 20, idleSeconds: 0 } as const
  const { failure } = await explore({ ...forgetfulOf(what), ...options })
  expect(failure).toMatchObject({ flow, findings: [{ where: 'replies' }] })
  expect(failure!.remedies[0]).toContain('Keep the ids of events in the database')
})

test('signed JSON with white space around it is delivered', async () => {
  const bodies: string[] = []
  const handler = ({ body }: { body: string }) => void bodies.push(body)
  await explore({ handler, truth: () => ({}), schedule: tapThen({ kind: 'spelling', event: 5 }) })
  expect(bodies.at(-1)).toMatch(/^\s.*\s$/s)
})

test('the nearest wrong record is shown', async () => {
  const wrong = desk({ key: (phone) => phone.slice(1) })
  const { failure } = await explore({ ...wrong, flows: ['tap'], schedules: 1, settleMs: 20 })
  expect(failure!.findings[0]!.message).toMatch(/the application lacks ("[^"]+"); it has \[\1\] under "49\d+"$/)
  // Numbers of people differ between a search and its repetition.
  expect(failure!.story).toContain('under "49…"')
})

test('an application that drops ids two days after its newest event is not blamed when years have passed', async () => {
  const twoDays = 48 * 3_600_000
  const seen = new Map<string, number>()
  let newest = Number.NEGATIVE_INFINITY
  const replies: Record<string, number> = {}
  const { failure, unrepeated } = await explore({
    ...{
      flows: ['tap', 'turn-of-time'],
      disturbances: ['duplicate', 'history'],
      seed: 'v',
      settleMs: 20,
      idleSeconds: 0,
    },
    truth: () => ({ replies }),
    handler({ body }) {
      const { id, event, timestamp, data } = JSON.parse(body)
      const isKnown = (seen.get(id) ?? Number.NEGATIVE_INFINITY) > newest - twoDays
      seen.set(id, Date.parse(timestamp))
      newest = Math.max(newest, Date.parse(timestamp))
      if (!isKnown && event === 'conversation.started') replies[data.from] = (replies[data.from] ?? 0) + 1
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(unrepeated).toEqual([])
})

test('an application may count the events of the preflight when the first flow has started', async () => {
  const counts: Record<string, number> = {}
  let queue: string[] = []
  let looks = 0
  const { failure, unrepeated } = await explore({
    ...{ flows: ['expiry', 'tap'], schedules: 4, seed: 'v', settleMs: 20 },
    handler({ body }) {
      queue.push(JSON.parse(body).event)
      looks = 0
    },
    truth() {
      if (++looks < 3) return { counts: { ...counts } }
      for (const name of queue) counts[name] = (counts[name] ?? 0) + 1
      queue = []
      return { counts }
    },
  })
  expect({ failure, unrepeated }).toEqual({ failure: null, unrepeated: [] })
})

test('the copies of the longest history happen within the day for which ids are kept', () => {
  const copy = copier('s', () => ({ phone: '+4915112345678', email: 'person@example.test' }), Date.now)
  const event = { seq: 1, event: 'message.read', body: '{"timestamp":"2026-11-29T08:00:00.000Z"}' }
  const all = Array.from({ length: 3_334 }, () => copy([event, event, event]))
  expect(timeOf(all.at(-1)![0]) - timeOf(all[0]![0])).toBeLessThan(24 * 3_600_000)
})

test('a window of ids is found by a repetition after a long history', async () => {
  const schedule = tapThen({ kind: 'history', event: 5, others: 15 })
  expect((await explore({ ...desk(), schedule })).failure).toBeNull()
  const { failure } = await explore({ ...desk({ remembers: 10 }), schedule, settleMs: 20 })
  expect(failure!.remedies[0]).toContain('Keep the ids of events in the database')
})

test('events of others that are refused while the work on earlier ones waits are delivered again', async () => {
  const { handler, truth } = desk()
  const waiting: { body: string }[] = []
  const subjectOf = ({ body }: { body: string }) => {
    const { data } = JSON.parse(body)
    return data.message_id ?? data.contact_id
  }
  const counts = { 'message.read': 0 }
  const { failure } = await explore({
    schedule: tapThen({ kind: 'history', event: 5, others: 15 }),
    settleMs: 20,
    truth() {
      for (const webhook of waiting.splice(0)) {
        handler(webhook)
        if (JSON.parse(webhook.body).event === 'message.read') counts['message.read']++
      }
      return { ...truth(), counts }
    },
    handler(webhook) {
      const subject = subjectOf(webhook)
      if (waiting.filter((one) => subjectOf(one) === subject).length >= 2) return 503
      waiting.push(webhook)
      return 200
    },
  })
  expect(failure?.story).toBeUndefined()
})

test('of many schedules that fail only together, few are played alone', async () => {
  const most = 10
  let replies: Record<string, number> = {}
  const seen = new Set<string>()
  let restarts = 0
  const { failure, unrepeated } = await explore({
    ...{ schedules: 35, settleMs: 20, kill() {} },
    truth: () => ({ replies: Object.keys(replies).length > most ? {} : replies }),
    restart() {
      restarts++
      replies = {}
    },
    handler({ body }) {
      const { id, event, data } = JSON.parse(body)
      if (event === 'conversation.started' && !seen.has(id)) replies[data.from] = (replies[data.from] ?? 0) + 1
      seen.add(id)
      return 200
    },
  })
  expect(failure).toBeNull()
  expect(unrepeated.length).toBeGreaterThan(most)
  expect(restarts).toBeLessThan(unrepeated.length)
})

test('of many schedules that are blamed for the same counter, one is listed as unrepeated', async () => {
  const counts: Record<string, number> = {}
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const seen = new Set<string>()
  let sinceLook = 0
  const { failure, unrepeated } = await explore({
    ...{ schedules: 14, settleMs: 20, seed: 'v', disturbances: ['duplicate'], flows: ['conversation', 'tap', 'texts'] },
    truth() {
      sinceLook = 0
      return { counts }
    },
    handler({ body }) {
      const { id, event } = JSON.parse(body)
      if (!seen.has(id)) count(event)
      seen.add(id)
      // More than two people have.
      if (++sinceLook === 25) count('message.read')
      return 200
    },
  })
  expect(failure).toBeNull()
  const messages = unrepeated.map(({ findings }) => findings[0]!.message)
  expect(messages[0]).toContain('counts of message.read')
  expect(messages).toEqual([...new Set(messages)])
})

test('stored ids that are fewer than those in memory are found by a restart after a long history', async () => {
  let seen: string[] = []
  let replies = 0
  const { failure } = await explore({
    ...{ flows: ['tap'], disturbances: ['history', 'restart'], seed: 'v', settleMs: 20 },
    truth: () => ({ counts: { 'conversation.started': replies } }),
    restart() {
      seen = seen.slice(-100)
    },
    handler({ body }) {
      const { id, event } = JSON.parse(body)
      if (!seen.includes(id) && event === 'conversation.started') replies++
      seen.push(id)
      return 200
    },
  })
  const kinds = failure?.schedule.perturbations.map(({ kind }) => kind)
  expect(kinds).toEqual(['history', 'history', 'restart'])
})

/** An application whose start reads only the newest lines of its journal. */
function journal(most: number) {
  let lines = new Set<string>()
  return {
    truth: () => ({ counts: { 'conversation.started': lines.size } }),
    restart() {
      lines = new Set([...lines].slice(-most))
    },
    handler({ body }: { body: string }) {
      const { id, event } = JSON.parse(body)
      if (event === 'conversation.started') lines.add(id)
      return 200
    },
  }
}

test('what a restart has lost of earlier people is repeated with as long a history', async () => {
  const options = { flows: ['tap'], disturbances: ['history', 'restart'], seed: 'v', settleMs: 20 } as const
  const { failure } = await explore({ ...journal(100), ...options })
  expect(failure?.schedule.perturbations).toContainEqual({ kind: 'history', event: 0, others: 10_000 })
  expect(failure?.story).toContain(
    '(once more, after 10,000 events of other people) → 200, then the application is restarted',
  )
  expect(failure?.remedies).toContainEqual(expect.stringContaining('not only the newest records'))
})

test('a window of ids that outlasts the usual history is found by a repetition after thousands of events', async () => {
  const options = {
    flows: ['tap'],
    disturbances: ['history', 'delay'],
    seed: 'v',
    idleSeconds: 0,
    settleMs: 20,
  } as const
  const right = await explore({ ...desk(), ...options })
  expect(right.failure?.story).toBeUndefined()
  expect(right.coverage.last).toEqual({ played: 2, of: 2 })
  const { failure, unrepeated } = await explore({ ...desk({ remembers: 250 }), ...options })
  expect(failure).toMatchObject({
    findings: [{ where: 'texts' }],
    schedule: { perturbations: Array(6).fill({ others: 1_200 }) },
  })
  expect(unrepeated).toEqual([])
})

/** An application whose snapshots of 200 events contain no timestamps, so that a start forgets which of two is newer. */
function snapshots() {
  const statuses: Record<string, { status: string; at: string }> = {}
  const ids = new Set<string>()
  return {
    truth: () => ({ messages: Object.fromEntries(Object.entries(statuses).map(([id, { status }]) => [id, status])) }),
    restart() {
      if (ids.size >= 200) for (const one of Object.values(statuses)) one.at = ''
    },
    handler({ body }: { body: string }) {
      const { id, event, timestamp, data } = JSON.parse(body)
      if (ids.has(id)) return 200
      ids.add(id)
      const [family, status] = event.split('.')
      if (family === 'message' && timestamp > (statuses[data.message_id]?.at ?? ''))
        statuses[data.message_id] = { status, at: timestamp }
      return 200
    },
  }
}

test('an older event that arrives for the first time after a long history and a restart is tried', async () => {
  const { failure } = await explore({
    ...snapshots(),
    ...{ flows: ['order-notification'], disturbances: ['history', 'restart'], seed: 'v', settleMs: 20 },
  })
  expect(failure).toMatchObject({ findings: [{ where: 'messages' }] })
  expect(failure?.story).toMatch(
    /message.delivered of message 1 \(late, after the events that followed it\) → 200\n {2}✗/,
  )
  expect(failure?.remedies.join()).not.toContain('Keep the ids')
})

test('an application that refuses an event until the one before it is not blamed after a long history', async () => {
  const { failure, coverage } = await explore({
    ...variants['insists on the order']!(),
    ...{
      restart: () => {},
      flows: ['order-notification'],
      disturbances: ['history', 'restart'],
      seed: 'v',
      settleMs: 20,
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(coverage.last.played).toBe(coverage.last.of)
})

test.each([
  ['other schedules are played', ['idle', 'delay'], 0.2],
  ['there is nothing else to play', ['idle'], 1.2],
] as const)('a window of time is found while %s, and confirmed without another pause', async (_, disturbances, s) => {
  const options = { flows: ['tap', 'texts'], disturbances, idleSeconds: s, settleMs: 20 } as const
  const { failure, unrepeated } = await explore({ ...desk({ forgetsMs: 50 }), ...options })
  expect(failure).toMatchObject({
    findings: [{ where: 'texts' }],
    schedule: { perturbations: Array(6).fill({ kind: 'idle' }) },
  })
  expect(unrepeated).toEqual([])
})

test('what other schedules have counted in the meantime is not blamed on a late repetition', async () => {
  const counts = { 'conversation.started': 0 }
  const { truth, handler } = desk()
  const { failure, unrepeated, coverage } = await explore({
    ...{ flows: ['tap', 'texts'], disturbances: ['idle', 'delay'], idleSeconds: 0.001, settleMs: 20 },
    truth: () => ({ ...truth(), counts }),
    handler(request) {
      const { 'x-seen': before } = truth()
      const answer = handler(request)
      if (truth()['x-seen'] > before && request.body.includes('"conversation.started"'))
        counts['conversation.started']++
      return answer
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(unrepeated).toEqual([])
  expect(coverage.pauses).toEqual({ played: 2, of: 2 })
})

test('a window of time is found by a repetition after machine time has passed', async () => {
  const schedule = tapThen({ kind: 'idle', event: 5, seconds: 0.1 })
  const { failure } = await explore({ ...desk({ forgetsMs: 50 }), schedule, settleMs: 20 })
  expect(failure!.findings[0]).toMatchObject({ where: 'texts' })
})

/** An application that answers people with this type of message, or not at all. */
const answering = (message_type: 'MESSAGE' | 'NEWSLETTER' | 'CONVERSATION' | undefined) => ({
  truth: () => ({ sends: { reply: 1 } }),
  async handler({ body }: { body: string }, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
    const { id, event, data }: Event = JSON.parse(body)
    if (event !== 'conversation.started' || !message_type || isStop(data.user_message.text)) return 200
    const kind = { message_type, traffic_type: 'TRANSACTION' } as const
    const send = { agent_id: data.agent_id, to: data.from, ...kind, content: { text: 'Thank you' } }
    const options = { idempotencyKey: id.slice('evt_'.length) }
    await createClient({ baseUrl, apiKey })
      .messages.send(send, options)
      .catch(() => {})
    return 200
  },
})

test('an application that does not answer is found by its own rule for sends', async () => {
  const options = { flows: ['tap'], schedules: 1, settleMs: 50 }
  const right = await explore({ ...answering('MESSAGE'), ...options })
  expect(right).toMatchObject({ failure: null, audited: true })
  const { failure } = await explore({ ...answering(undefined), ...options })
  expect(failure!.findings[0]).toMatchObject({
    code: 'sends-differ',
    message: expect.stringContaining('0 messages were sent, 1 message was expected for reply'),
  })
})

test('an application that learns from a refusal that the session is over need not try the next answer', async () => {
  const closed = new Set<string>()
  let refusals = 0
  const answers = (isTried: boolean) =>
    explore({
      ...{ flows: ['conversation'], schedules: 1, settleMs: 50, truth: () => ({ sends: { reply: 1 } }) },
      async handler({ body }, environment) {
        const { event, data, id }: Event = JSON.parse(body)
        const { messages, billing } = createClient(environment)
        await billing.balance()
        if (event !== 'conversation.started' || closed.has(data.from) || !isTried) return 200
        const kind = { message_type: 'CONVERSATION', traffic_type: 'SERVICEREQUEST' } as const
        const send = { agent_id: data.agent_id, to: data.from, ...kind, content: { text: 'Thank you' } }
        await messages.send(send, { idempotencyKey: id.slice('evt_'.length) }).catch(() => {
          closed.add(data.from)
          refusals++
        })
        return 200
      },
    })
  expect((await answers(true)).failure?.story).toBeUndefined()
  expect(refusals).toBe(1)
  expect((await answers(false)).failure?.findings).toMatchObject([{ code: 'sends-differ' }])
})

test('an answer that is in progress when STOP arrives at the same time is no send after STOP', async () => {
  const suppressed: Record<string, boolean> = {}
  const { handler } = answering('MESSAGE')
  const { failure, audited } = await explore({
    schedule: {
      ...{ flow: 'reply-then-stop', draw: 'v.reply-then-stop.0', events: [0, 1, 2, 3, 4, 5, 6] },
      perturbations: [{ kind: 'together', event: 5 }],
    },
    truth: () => ({ suppressed }),
    handler(webhook, environment) {
      const { event, data }: Event = JSON.parse(webhook.body)
      if (event !== 'conversation.started') return 200
      if (isStop(data.user_message.text)) suppressed[data.from] = true
      else if (!suppressed[data.from]) setTimeout(() => void handler(webhook, environment), 15)
      return 202
    },
  })
  expect(audited).toBe(true)
  // It does not revoke the consent, which is another matter.
  expect(failure!.findings.map(({ code }) => code)).toEqual(['stop-not-recorded'])
})

const answersLater = () => {
  const suppressed: Record<string, boolean> = {}
  const { handler } = answering('MESSAGE')
  let waiting = 0
  return {
    settleMs: 50,
    truth: () => ({ sends: { reply: 1 }, pending: waiting }),
    async handler(webhook: Webhook, environment: Environment) {
      const { event, data }: Event = JSON.parse(webhook.body)
      if (event !== 'conversation.started') return 200
      if (isStop(data.user_message.text)) {
        suppressed[data.from] = true
        const { contacts } = createClient(environment)
        const { id } = await contacts.create({ phone: data.from })
        await contacts.update(id, { status: 'UNSUBSCRIBED' })
      } else if (!suppressed[data.from]) {
        waiting++
        setTimeout(() => {
          waiting--
          if (!suppressed[data.from]) void handler(webhook, environment)
        }, 15)
      }
      return 202
    },
  }
}

const laterHistory = (...events: number[]) => ({
  schedule: {
    ...{ flow: 'reply-then-stop', draw: 'v.reply-then-stop.0', events },
    perturbations: [{ kind: 'history' as const, others: 14, event: 1 }],
  },
})

test.each([
  ['of others', laterHistory(0, 1, 2, 3, 4, 5, 6)],
  ['that comes when a long history begins', laterHistory(0, 1, 2, 3, 4, 5)],
  ['in one of many schedules', { flows: ['reply-then-stop'], disturbances: ['spelling' as const], schedules: 8 }],
])('a reply %s may wait for its answer', async (_, options) => {
  const { failure, audited, unrepeated } = await explore({ ...answersLater(), ...options })
  expect(audited).toBe(true)
  expect(failure?.story).toBeUndefined()
  expect(unrepeated).toEqual([])
})

interface ConsentEvent {
  id: string
  event: string
  data: { contact_id: string; phone: string; status: string }
}

test('a newsletter that is on its way when the consent is revoked is no breach', async () => {
  const consent: Record<string, Record<string, string>> = {}
  const phones = new Map<string, string>()
  const { failure, audited } = await explore({
    schedule: { flow: 'consent-renewed', draw: 'v.consent-renewed.2', events: [0, 1, 2], perturbations: [] },
    settleMs: 50,
    truth: () => ({ consent, sends: { 'consent.created': 1 } }),
    handler(webhook, environment) {
      const { id, event, data }: ConsentEvent = JSON.parse(webhook.body)
      if (event === 'contact.created') phones.set(data.contact_id, data.phone)
      if (!event.startsWith('consent.')) return 200
      const isNew = consent[data.contact_id] === undefined
      consent[data.contact_id] = { 'RCS/NEWSLETTER': data.status }
      const { messages } = createClient(environment)
      const kind = { message_type: 'NEWSLETTER', traffic_type: 'PROMOTION' } as const
      const send = { ...kind, agent_id: DEFAULT_AGENT, to: phones.get(data.contact_id)!, content: { text: 'Welcome' } }
      // The check of the consent has been made when the call begins.
      const options = { idempotencyKey: id.slice('evt_'.length) }
      if (isNew) setTimeout(() => void messages.send(send, options).catch(() => {}), 15)
      return 200
    },
  })
  expect(audited).toBe(true)
  expect(failure?.story).toBeUndefined()
})

test.each([
  ['at the same time as the end of its session', { kind: 'together', event: 5 }],
  ['once more after a restart', { kind: 'restart', event: 5 }],
] as const)('a confirmation of STOP that is sent %s is no breach', async (_, perturbation) => {
  const suppressed: Record<string, boolean> = {}
  const jobs = new Map<string, () => Promise<void>>()
  const { failure, audited } = await explore({
    schedule: {
      ...{ flow: 'stopped-session', draw: 'v.stopped-session.0', events: [0, 1, 2, 3, 4, 5, 6] },
      perturbations: [perturbation],
    },
    settleMs: 50,
    truth: () => ({ suppressed, pending: jobs.size }),
    async restart() {
      for (const job of jobs.values()) await job()
      jobs.clear()
    },
    async handler({ body }, { baseUrl, apiKey }) {
      const { id, event, data }: Event = JSON.parse(body)
      if (event !== 'conversation.started' || suppressed[data.from]) return 200
      const { contacts, messages } = createClient({ baseUrl, apiKey })
      const kind = { message_type: 'CONVERSATION', traffic_type: 'ACKNOWLEDGEMENT' } as const
      const send = { agent_id: data.agent_id, to: data.from, ...kind, content: { text: 'Goodbye' } }
      // Refused: the flow is over, and its session with it.
      const job = async () =>
        void (await messages.send(send, { idempotencyKey: id.slice('evt_'.length) }).catch(() => {}))
      jobs.set(id, job)
      await job()
      if (perturbation.kind !== 'restart') jobs.delete(id)
      const { id: contact } = await contacts.create({ phone: data.from })
      await contacts.update(contact, { status: 'UNSUBSCRIBED' })
      suppressed[data.from] = true
      return 200
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(audited).toBe(true)
})

test('a reply that arrives after STOP need not be answered, and one before it must be', async () => {
  const playReplyThenStop = (delays: Perturbation[], answersUntilStop: boolean) => {
    const stopped = new Set<string>()
    const { handler, truth } = answering('MESSAGE')
    return explore({
      schedule: {
        ...{ flow: 'reply-then-stop', draw: 'v.reply-then-stop.0', events: [0, 1, 2, 3, 4, 5, 6] },
        perturbations: delays,
      },
      settleMs: 50,
      truth,
      async handler(webhook, environment) {
        const { event, data }: Event = JSON.parse(webhook.body)
        if (event !== 'conversation.started') return 200
        if (isStop(data.user_message.text)) stopped.add(data.from)
        return answersUntilStop && !stopped.has(data.from) ? handler(webhook, environment) : 200
      },
    })
  }
  expect(await playReplyThenStop([{ kind: 'delay', event: 5, after: 1 }], true)).toMatchObject({ failure: null })
  const { failure } = await playReplyThenStop([], false)
  expect(failure!.findings.map(({ code }) => code)).toEqual(['sends-differ'])
})

test('a STOP that was not accepted is not known, so the reply before it may be answered', async () => {
  const { handler, ...application } = answersLater()
  const refused = new Set<string>()
  const { failure, audited } = await explore({
    ...application,
    schedule: {
      ...{ flow: 'reply-then-stop', draw: 'v.reply-then-stop.0', events: [0, 1, 2, 3, 4, 5, 6] },
      perturbations: [],
    },
    handler(webhook, environment) {
      const { id, event }: Event = JSON.parse(webhook.body)
      const isNew = event === 'conversation.started' && !refused.has(id)
      refused.add(id)
      return isNew ? 503 : handler(webhook, environment)
    },
  })
  expect(audited).toBe(true)
  expect(failure?.story).toBeUndefined()
})

test('an answer that goes to the person who wrote last is found by two replies at the same time', async () => {
  const { handler, truth } = answering('MESSAGE')
  const playTogether = (recipientOf: (own: string, last: string) => string) => {
    let last = ''
    return explore({
      schedule: {
        ...{ flow: 'two-people', draw: 'v.two-people.0', events: Array.from({ length: 12 }, (_, i) => i) },
        perturbations: [{ kind: 'together', event: 10 }],
      },
      ...{ settleMs: 50, truth },
      async handler({ body, ...webhook }, environment) {
        const event: Event = JSON.parse(body)
        if (event.event !== 'conversation.started') return 200
        last = event.data.from
        setTimeout(() => {
          const data = { ...event.data, from: recipientOf(event.data.from, last) }
          void handler({ ...webhook, body: JSON.stringify({ ...event, data }) }, environment)
        }, 15)
        return 202
      },
    })
  }
  const { failure } = await playTogether((_, last) => last)
  expect(failure!.findings.map(({ code }) => code)).toContain('sends-differ')
  expect(await playTogether((own) => own)).toMatchObject({ failure: null })
})

test('a STOP may be recorded at the service some time after everything else is right', async () => {
  const suppressed: Record<string, boolean> = {}
  const { handler } = answering('MESSAGE')
  let record: (() => Promise<unknown>) | undefined
  let looks = 0
  const { failure, audited, unrepeated } = await explore({
    ...{ flows: ['reply-then-stop'], schedules: 1, settleMs: 20 },
    async truth() {
      // A right belief is looked at about four times, a wrong one at least eight times.
      if (record && ++looks === 7) await record()
      return { suppressed }
    },
    handler(webhook, environment) {
      const { event, data }: Event = JSON.parse(webhook.body)
      if (event !== 'conversation.started' || !isStop(data.user_message.text)) return handler(webhook, environment)
      suppressed[data.from] = true
      record = async () => {
        const { contacts } = createClient(environment)
        const { id } = await contacts.create({ phone: data.from })
        await contacts.update(id, { status: 'UNSUBSCRIBED' })
      }
      return 202
    },
  })
  expect(audited).toBe(true)
  expect(failure?.story).toBeUndefined()
  expect(unrepeated).toEqual([])
})

test('a reply that arrives after the end of its session needs an answer outside of it', async () => {
  const answerWith = async (outside: 'MESSAGE' | 'CONVERSATION', perturbations: Perturbation[]) => {
    const at = { flow: 'conversation', draw: 'v.conversation.0', events: [0, 1, 2, 3, 4, 5, 6, 7] }
    let type: 'MESSAGE' | 'CONVERSATION' = 'CONVERSATION'
    const { failure } = await explore({
      ...{ schedule: { ...at, perturbations }, settleMs: 50, truth: answering(type).truth },
      handler(webhook, environment) {
        if (JSON.parse(webhook.body).event === 'conversation.ended') type = outside
        return answering(type).handler(webhook, environment)
      },
    })
    return failure?.findings.map(({ code }) => code)
  }
  const late: Perturbation = { kind: 'delay', event: 6, after: 1 }
  const together: Perturbation = { kind: 'together', event: 6 }
  const right = [answerWith('CONVERSATION', []), answerWith('CONVERSATION', [together]), answerWith('MESSAGE', [late])]
  expect(await Promise.all(right)).toEqual([undefined, undefined, undefined])
  expect(await answerWith('CONVERSATION', [late])).toEqual(['sends-differ'])
})

test('a send that was refused is named with its answer', async () => {
  const options = { flows: ['tap'], schedules: 1, settleMs: 50 }
  const { failure } = await explore({ ...answering('NEWSLETTER'), ...options })
  expect(failure!.findings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(
      /0 messages were sent, 1 message was expected for reply; 1 refused with 422 missing_consent$/,
    ),
  )
})

test('a limit of schedules plays every flow once before the variants of any', async () => {
  const { coverage } = await explore({ ...shop(), schedules: builtInFlows.length })
  expect(coverage.flows).toEqual({ played: builtInFlows.length, of: builtInFlows.length })
})

test('an event that was refused is not called accepted in a remedy', async () => {
  const { failure } = await explore({
    ...{ flows: ['opt-out'], schedules: 1, settleMs: 20 },
    truth: () => ({ consent: {} }),
    handler: ({ body }) => (body.includes('"consent.created"') ? 500 : 200),
  })
  expect(failure?.findings.map(({ code }) => code)).toEqual(['never-accepted', 'belief-differs'])
  expect(failure?.story).not.toContain('it was accepted')
})

test('a search that would take too long says so, ends at its limit, and states what is left', async () => {
  const paces: SearchPace[] = []
  const options = { flows: ['tap'], schedules: 20, onPace: (pace: SearchPace) => void paces.push(pace) }
  expect(await explore({ ...shop(), ...options })).toMatchObject({ schedules: 20, out_of_time: false })
  expect(paces[0]!.totalMs).toBeGreaterThan(0)
  const { out_of_time, coverage, failure } = await explore({ ...shop(), ...options, timeLimitMs: 1 })
  expect({ out_of_time, failure, played: coverage.flows.played }).toEqual({
    out_of_time: true,
    failure: null,
    played: 0,
  })
  expect(paceInWords({ answerMs: 1_000, totalMs: 10_800_000, limitMs: 600_000 })).toMatch(
    /^Your handler answers in 1.0 s, so all schedules would take about 3 h. The search stops after 10 min/,
  )
  expect(paceInWords({ answerMs: 20, totalMs: 720_000, limitMs: 600_000 })).toMatch(
    /^At this pace, all schedules would take about 12 min. The search stops after 10 min/,
  )
  expect(paceInWords({ answerMs: 1_000, totalMs: 500_000, limitMs: 600_000 })).toBeUndefined()
})

/** An application that keeps the last two suppressed addresses only. */
function forgetful() {
  const { handler, truth } = shop()
  return { handler, truth: () => ({ suppressed: Object.fromEntries(Object.entries(truth().suppressed).slice(-2)) }) }
}

test('an address that is no longer suppressed after other people’s events is found', async () => {
  const { failure } = await explore({
    ...forgetful(),
    flows: ['opt-out', 'unsubscription'],
    schedules: 20,
    settleMs: 20,
  })
  expect(failure!.findings[0]).toMatchObject({
    ...{ code: 'belief-differs', where: 'suppressed' },
    message: expect.stringContaining('which no event concerns: the application says false, the truth is true'),
  })
})

test.each([
  [
    'replies',
    { replies: {} },
    'Handle conversation.started: it was accepted, but replies does not show it at the end.',
  ],
  ['messages', { messages: 'queued' }, 'Set the status to "delivered" on message.delivered, whatever it was before.'],
  ['counts', { counts: { 'message.read': 0 } }, 'Count every message.read; one was not counted.'],
  [
    'sessions',
    { sessions: {} },
    'Handle conversation.started: it was accepted, but sessions does not show it at the end.',
  ],
] as const)('the remedy of an undisturbed failure in %s names the event', async (_, belief, remedy) => {
  const ids: Record<string, string> = {}
  const { failure } = await explore({
    flows: ['open-conversation'],
    schedules: 1,
    settleMs: 20,
    truth: () => ('messages' in belief ? { messages: ids } : belief),
    handler({ body }) {
      const { data } = JSON.parse(body)
      if (data.message_id) ids[data.message_id] = 'queued'
      return 200
    },
  })
  expect(failure!.remedies).toEqual([remedy])
})

/** An application that works after its answer, and is quick enough for every second restart. */
function hasty() {
  const { handler, truth } = desk()
  let [later, restarts]: [{ body: string }[], number] = [[], 0]
  const work = () => later.splice(0).forEach(handler)
  return {
    handler: (webhook: { body: string }) => void later.push(webhook),
    truth() {
      work()
      return truth()
    },
    restart() {
      if (restarts++ % 2 > 0) work()
      later = []
    },
  }
}

test('a failure that depends on the instant of a restart says how often it failed', async () => {
  const options = { flows: ['tap'], disturbances: ['restart'], seed: 'v', settleMs: 20 } as const
  const { failure, audited } = await explore({ ...hasty(), ...options })
  // Only the explorer has called the sandbox, to save the scenario.
  expect(audited).toBe(false)
  expect(failure).toMatchObject({ repeated: { failed: 3, of: 5 }, schedule: { perturbations: [{ kind: 'restart' }] } })
})

test('a consent that outlives its contact is explained, and null may be in its place', async () => {
  const keeping = async (forgets: boolean) => {
    const consent: Record<string, Record<string, 'GRANTED'> | null> = {}
    const { failure } = await explore({
      flows: ['deleted-contact'],
      schedules: 2,
      settleMs: 20,
      truth: () => ({ consent }),
      handler({ body }) {
        const { event, data } = JSON.parse(body)
        if (event === 'consent.created') consent[data.contact_id] = { 'RCS/MESSAGE': 'GRANTED' }
        if (forgets && event === 'contact.deleted') consent[data.contact_id] = null
        return 200
      },
    })
    return failure
  }
  expect((await keeping(false))!.remedies).toEqual([
    'Delete the consent of a contact on contact.deleted, and create none for it afterwards.',
  ])
  expect(await keeping(true)).toBeNull()
})

test('a handler that refuses everything has one finding', async () => {
  const { failure, schedules } = await explore({ handler: () => 401, truth: () => ({}) })
  expect(schedules).toBe(0)
  expect(failure!.findings).toEqual([
    expect.objectContaining({
      code: 'all-refused',
      message: '401 to every delivery: wrong secret, or a header is missing?',
    }),
  ])
})

test.each(['a', 'b', 'c'])(
  'each alternative of a flow is played undisturbed before any disturbance: %s',
  async (seed) => {
    const campaigns: Record<string, string> = {}
    const { failure, schedules } = await explore({
      flows: ['order-notification', 'campaign-on-hold'],
      disturbances: ['duplicate', 'replay', 'unknown'],
      seed,
      settleMs: 20,
      truth: () => ({ campaigns }),
      handler({ body }) {
        const { event, data } = JSON.parse(body)
        if (event.startsWith('campaign.') && data.status !== 'PAUSED_BALANCE') campaigns[data.run_id] = data.status
        return 200
      },
    })
    expect(failure?.findings[0]?.message).toContain('the truth is "PAUSED_BALANCE"')
    expect(schedules).toBeLessThanOrEqual(4)
  },
)

test('what a handler function throws is in the finding and in the story', async () => {
  const failing = async (name: RegExp) => {
    const { failure } = await explore({
      flows: ['order-notification'],
      seed: 's',
      settleMs: 20,
      truth: () => ({ messages: {} }),
      handler({ body }) {
        if (name.test(body)) throw new Error('boom')
        return 200
      },
    })
    return { message: failure!.findings[0]!.message, story: failure!.story }
  }
  const thrown = '500, because the handler throws "Error: boom"'
  expect(await failing(/message\.read/)).toEqual({
    message: `message.read was given up after 5 attempts; the last was answered ${thrown}`,
    story: expect.stringContaining(`message.read of message 1 → ${thrown}, and to 4 more attempts`),
  })
  expect(await failing(/./)).toEqual({
    message: '500 to every delivery, because the handler throws "Error: boom"',
    story: expect.stringContaining(`1. contact.created of contact 1 → ${thrown}`),
  })
})

test('a call that the service refuses is in the story, below the delivery that has caused it', async () => {
  const storyOf = async () => {
    const { failure } = await explore({
      flows: ['opt-out'],
      seed: 's',
      settleMs: 20,
      truth: () => ({ suppressed: {} }),
      async handler({ body }, { baseUrl, apiKey }) {
        const { event, data } = JSON.parse(body)
        if (event !== 'conversation.started') return 200
        const kind = { message_type: 'MESSAGE', traffic_type: 'ACKNOWLEDGEMENT' }
        const { status } = await fetch(`${baseUrl}/v1/messages`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ agent_id: data.agent_id, to: data.from, ...kind, content: { text: 'Goodbye' } }),
        })
        return status === 422 ? 500 : 200
      },
    })
    return failure!.story
  }
  const story = await storyOf()
  expect(story).toMatch(
    /6\. conversation\.started .* → 500, and to 4 more attempts\n {5}the application calls POST \/v1\/messages → 422 missing_consent\n {2}✗/,
  )
  expect(story).toContain('→ Answer 2xx even if the service refuses a call')
  expect(await storyOf()).toBe(story)
})

test('a handler that ends during a flow is the finding, with the delivery', async () => {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('{}')
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      response.end()
      if (body.includes('message.read')) server.close().closeAllConnections()
    })
  })
  const url = await urlOf(server)
  const { failure } = await explore({ handler: url, truth: () => ({}), flows: ['opt-out'], schedules: 1, settleMs: 20 })
  expect(failure!.findings[0]).toMatchObject({
    code: 'handler-died',
    message: expect.stringMatching(/^the application ended (on|after) (message\.read|conversation\.started)/),
  })
})

test('an event that is overtaken by another kind of event for the first time comes early', async () => {
  const consent: Record<string, Record<string, string>> = {}
  const at: Record<string, string> = {}
  const { failure } = await explore({
    ...{ flows: ['order-notification', 'opt-in'], disturbances: ['delay'], schedules: 12, settleMs: 20 },
    truth: () => ({ consent }),
    handler({ body }) {
      const { event, timestamp, data } = JSON.parse(body)
      if (!event.startsWith('consent.')) return 200
      const [of, kind] = [data.contact_id, `${data.channel_type}/${data.message_type}`]
      const isLate = event === 'consent.updated' && consent[of] === undefined
      if (isLate || timestamp < (at[of] ?? '')) return 200
      consent[of] = { [kind]: data.status }
      at[of] = timestamp
      return 200
    },
  })
  expect(failure).toMatchObject({
    flow: 'opt-in',
    schedule: { perturbations: [{ kind: 'delay', event: 1, after: 1 }] },
  })
})

test('events of an unknown family and unknown events of a known one are delivered', async () => {
  const names: string[] = []
  const schedule = tapThen({ kind: 'unknown', event: 5 })
  const handler = ({ body }: { body: string }) => void names.push(JSON.parse(body).event)
  expect((await explore({ handler, truth: () => ({}), schedule })).failure).toBeNull()
  expect(names.slice(5, 8)).toEqual(['paper.folded', 'conversation.folded', 'conversation.started'])
})

test('an event with new values has new fields at every depth', async () => {
  const bodies: string[] = []
  const handler = ({ body }: { body: string }) => void bodies.push(body)
  await explore({ handler, truth: () => ({}), schedule: tapThen({ kind: 'new-value', event: 5 }) })
  expect(JSON.parse(bodies.at(-1)!)).toMatchObject({
    added_later: true,
    data: { added_later: { nested: [null, 1.5] }, user_message: { added_later: true, type: 'dictated_text' } },
  })
})

test('a handler that notes the id of an event before it verifies the signature is found', async () => {
  const play = async (notesFirst: boolean) => {
    const { handler, truth } = desk()
    const seen = new Set<string>()
    const explored = await explore({
      ...{ truth, schedule: tapThen({ kind: 'forgery', event: 5 }), settleMs: 20 },
      handler({ body, headers }, { secret }) {
        const { id } = JSON.parse(body)
        const isSigned = sign(secret, body) === headers['x-service-signature']
        const isKnown = seen.has(id)
        if (isSigned || notesFirst) seen.add(id)
        if (!isSigned) return 401
        return isKnown ? 200 : handler({ body })
      },
    })
    return explored.failure?.findings.map(({ code }) => code)
  }
  expect(await play(false)).toBeUndefined()
  expect(await play(true)).toEqual(['belief-differs'])
})

test('a handler that writes its journal before it verifies the signature is found by a restart', async () => {
  const play = async (writesFirst: boolean) => {
    const journal: string[] = []
    let replies: Record<string, number> = {}
    const seen = new Set<string>()
    const work = (body: string) => {
      const { id, event, data } = JSON.parse(body)
      if (seen.has(id) || event !== 'conversation.started') return
      seen.add(id)
      replies[data.from] = (replies[data.from] ?? 0) + 1
    }
    const { failure } = await explore({
      ...{ truth: () => ({ replies }), flows: ['tap'], disturbances: ['forgery', 'restart'], schedules: 40 },
      ...{ settleMs: 20, idleSeconds: 0 },
      restart() {
        replies = {}
        seen.clear()
        journal.forEach(work)
      },
      handler({ body, headers }, { secret }) {
        const isSigned = sign(secret, body) === headers['x-service-signature']
        if (isSigned || writesFirst) journal.push(body)
        if (!isSigned) return 401
        work(body)
        return 200
      },
    })
    return failure
  }
  expect((await play(false))?.story).toBeUndefined()
  const failure = await play(true)
  expect(failure?.schedule.perturbations.map(({ kind }) => kind)).toEqual(['forgery', 'restart'])
  expect(failure?.story).toContain('another id under the same signature) → 401, then the application is restarted')
})

test('an interruption reports the schedules that have failed once', async () => {
  const { truth, reset, ...application } = shop()
  const stop = new AbortController()
  let resets = Number.NEGATIVE_INFINITY
  const { failure, interrupted, unrepeated } = await explore({
    ...{ ...application, flows: ['opt-out'], signal: stop.signal, settleMs: 50 },
    onSchedule(n) {
      if (n > 1) resets = Math.max(resets, 0)
    },
    truth: () => (resets > 0 ? { ...truth(), messages: {} } : truth()),
    reset() {
      // The second one is that of a repetition.
      if (++resets === 2) stop.abort()
      reset()
    },
  })
  expect({ failure, interrupted }).toEqual({ failure: null, interrupted: true })
  expect(unrepeated.length).toBeGreaterThan(0)
})

test('a wrong counter leads to the play that disturbs its event, without a try of all others', async () => {
  const counts = { 'message.expired': 0 }
  let starts = 0
  const { failure } = await explore({
    flows: ['order-notification', 'failure', 'expiry', 'opt-out'],
    disturbances: ['duplicate'],
    idleSeconds: 0,
    seed: 'v',
    settleMs: 20,
    restart: () => void starts++,
    kill: () => {},
    truth: () => ({ counts }),
    handler({ body }) {
      if (JSON.parse(body).event === 'message.expired') counts['message.expired']++
      return 200
    },
  })
  expect(failure!.flow).toBe('expiry')
  // An undisturbed flow is right, and the disturbed one fails.
  expect(starts).toBe(2)
})

/** A STOP suppresses everybody who has ever answered. */
function withoutWhere() {
  const seen = new Set<string>()
  const suppressed: Record<string, boolean> = {}
  return {
    truth: () => ({ suppressed }),
    handler({ body }: { body: string }) {
      const { event, data } = JSON.parse(body)
      if (event !== 'conversation.started') return 200
      seen.add(data.from)
      if (isStop(data.user_message.text)) for (const phone of seen) suppressed[phone] = true
      return 200
    },
  }
}

test('what happens to earlier people is blamed on the schedule that did it', async () => {
  const flows = ['conversation', 'texts', 'tap', 'no-stop', 'reopened-session', 'two-people', 'opt-out']
  const options = { ...withoutWhere(), flows, settleMs: 20, idleSeconds: 0 }
  const { failure } = await explore({ ...options, schedules: flows.length })
  expect(failure?.flow).toMatch(/^(two-people|opt-out)$/)
  expect(failure?.story).toMatch(/conversation.started " ?(stop|unsubscribe|end|quit|cancel) ?" of phone/i)
  expect((await explore({ ...options, seed: failure!.seed })).failure?.story).toBe(failure!.story)
})

test('a STOP is recognised in any case, and not in a few spellings of each word', async () => {
  const spellings = ['STOP', 'Unsubscribe', 'End', 'Quit', 'Cancel'].flatMap((word) => [
    ...[word, word.toUpperCase(), word.toLowerCase(), `${word[0]}${word.slice(1).toLowerCase()}`],
  ])
  const suppressed: Record<string, boolean> = {}
  const { failure } = await explore({
    ...{ flows: ['opt-out'], disturbances: ['duplicate'], settleMs: 20, idleSeconds: 0 },
    truth: () => ({ suppressed }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (event !== 'conversation.started') return
      if (spellings.includes(data.user_message.text.trim())) suppressed[data.from] = true
    },
  })
  expect(failure).toMatchObject({ findings: [{ where: 'suppressed' }], schedule: { perturbations: [] } })
})
