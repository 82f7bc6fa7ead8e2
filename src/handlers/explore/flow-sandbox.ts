import { createSandbox, type Sandbox } from '../../library/sandbox.ts'
import { type LogEvent, openStream } from '../../relay/stream.ts'
import type { RecordedRequest } from '../../scenarios/record.ts'
import { DEFAULT_AGENT, DEFAULT_CHANNEL } from '../../words/worlds.ts'
import { seededNumber, seededUuids } from '../../world/random.ts'
import { type Seen, seenRequest } from '../audit/seen.ts'
import type { Flow, Person, Stage } from './flow.ts'

/** The events of a run to deliver, byte for byte, in log order. */
export type LogEvents = readonly LogEvent[]

/** A number block that the German regulator reserves, with three digits more than any phone has. */
const PHONES = '+4917139200'
const MAX_PEOPLE = 100_000
/** After this time nothing is under way, sessions included. */
const UNTIL_QUIET = '25h'
/** Runs between top-ups; a run costs cents. */
const RUNS_UNTIL_TOPUP = 500
const DAY = 86_400_000
const SILENCE_MS = 10_000

export interface FlowSandbox {
  readonly sandbox: Sandbox
  /** Runs a flow with new people and returns its events. Equal draws make equal choices. */
  record(flow: Flow, draw: string): Promise<LogEvents>
  /** The calls of the same run. */
  callsOf(flow: Flow, draw: string): Promise<readonly RecordedRequest[]>
  /** Events since the last call. */
  newEvents(): Promise<LogEvents>
  /** Requests of the application since the last call. */
  requests(): Promise<Seen[]>
}

interface FlowSandboxOptions {
  port?: number | undefined
  world?: string | undefined
  isTaken: (address: string) => boolean
  /** Flows to record; scenarios must be known from the start. */
  flows?: readonly Flow[] | undefined
}

/** Derives ids and people from `seed`, which is new in each exploration: a handler may remember earlier ones. */
export async function openFlowSandbox(
  seed: string,
  { port, world = 'default', isTaken, flows = [] }: FlowSandboxOptions,
): Promise<FlowSandbox> {
  const sandbox = await createSandbox({ world, ...(port === undefined ? {} : { port }) })
  const { client } = sandbox
  // Nothing is left to chance, so that every run of a flow has the same events in the same order.
  await client.rules.add({
    match: { to: `${PHONES}*` },
    behaviour: { outcome: 'delivered', delivery_delay: '1s', read: false },
  })
  const startOver = flows.some(({ scenario }) => scenario) ? await worldAsItIs(sandbox) : undefined
  const uuids = seededUuids(seed, 'explore', '')
  let people = Math.floor(seededNumber(seed, 'people') * MAX_PEOPLE)
  let runs = 0
  let after = 0
  let asked = 0

  const addresses = (): Omit<Person, 'contactId'> => {
    const number = String(++people % MAX_PEOPLE).padStart(5, '0')
    const [phone, email] = [`${PHONES}${number}`, `person-${number}@example.test`]
    return isTaken(phone) || isTaken(email) ? addresses() : { phone, email }
  }

  const person: Stage['person'] = async (consent) => {
    const address = addresses()
    const { id } = await client.contacts.create(address)
    if (consent) {
      const [channel_type, message_type] = consent
      await client.consent.record(id, { channel_type, message_type, status: 'GRANTED', source: 'signup form' })
    }
    return { contactId: id, ...address } satisfies Person
  }

  const newEvents = async () => {
    const { events, last_seq } = await client.events.list({ after, limit: 1 })
    if (events.length === 0) return []
    const read = await readUntil(sandbox, after, last_seq)
    after = last_seq
    return read
  }

  const requests = async () => {
    const { requests: listed, last_seq } = await client.logs.list({
      after: String(asked),
      path: '/v1/',
      full: 'true',
      limit: '1000',
    })
    asked = last_seq
    return listed.map(seenRequest)
  }

  const lastRequest = async () => (await client.logs.list({ limit: '1' })).last_seq

  const prepare = async ({ scenario }: Flow) => {
    if (scenario && startOver) await startOver()
    else await sandbox.clock.advance(UNTIL_QUIET)
    if (++runs % RUNS_UNTIL_TOPUP === 0) await client.billing.topup({ amount: 500, currency: 'EUR' })
    after = (await client.events.list({ limit: 1 })).last_seq
  }

  const take = (flow: Flow, draw: string) => {
    const pick: Stage['pick'] = (what, among) => among[Math.floor(seededNumber(draw, what) * among.length)]!
    const { clock, trigger, url, apiKey } = sandbox
    const uuid = () => uuids(++people)
    const ids = { agentId: DEFAULT_AGENT, channelId: DEFAULT_CHANNEL }
    return flow.run({ client, clock, trigger, url, apiKey, ...ids, person, uuid, pick })
  }

  return {
    sandbox,
    newEvents,
    requests,
    async record(flow, draw) {
      await prepare(flow)
      await take(flow, draw)
      // Excludes the flow's own requests.
      asked = await lastRequest()
      return newEvents()
    },
    async callsOf(flow, draw) {
      await prepare(flow)
      const from = await lastRequest()
      await take(flow, draw)
      return (await client.logs.list({ after: String(from), full: 'true', limit: '1000' })).requests
    },
  }
}

/** Reads the stream for the exact bodies, which a list would serialise again. */
async function readUntil({ url, apiKey }: Sandbox, after: number, last: number): Promise<LogEvent[]> {
  const enough = new AbortController()
  const query = { after: String(after) }
  const stream = { baseUrl: url, apiKey, query, silenceMs: SILENCE_MS, signal: enough.signal }
  const events: LogEvent[] = []
  for await (const message of openStream(stream)) {
    if (message.kind !== 'event') continue
    const { seq, event, body } = message
    events.push({ seq, event, body })
    if (seq >= last) break
  }
  enough.abort()
  return events
}

/** Returns a function that restores the current world; only its time moves on, by whole days, and ids are new. */
async function worldAsItIs(sandbox: Sandbox): Promise<() => Promise<void>> {
  const snapshot = await sandbox.snapshot()
  const from = Date.parse(await sandbox.clock.now())
  return async () => {
    const days = Math.floor((Date.parse(await sandbox.clock.now()) - from) / DAY) + 1
    await sandbox.restore(snapshot)
    await sandbox.clock.advance(`${days}d`)
  }
}
