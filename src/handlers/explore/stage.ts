import { createSandbox, type Sandbox } from '../../library/sandbox.ts'
import { type LogEvent, openStream } from '../../relay/stream.ts'
import type { RecordedRequest } from '../../scenarios/record.ts'
import { seededNumber, seededUuids } from '../../world/random.ts'
import { type Seen, seenRequest } from '../audit/seen.ts'
import type { Flow, Person, Stage } from './flow.ts'

/** What of a run the handler is to be told, as the log has it: byte for byte, in the order in which it happened. */
export type Recording = readonly LogEvent[]

/** Of the default world: an agent that may send everything, and an email channel. */
const agentId = 'ag_live_00000000-0000-4000-8000-000000000001'
const channelId = 'ch_00000000-0000-4000-8000-000000000001'
/** A block that the German regulator keeps free of subscribers, with three digits more than any phone has. */
const PHONES = '+4917139200'
const MAX_PEOPLE = 100_000
/** Everything under way has come to its end by then, sessions included. */
const UNTIL_QUIET = '25h'
/** A run costs cents; the account never runs dry. */
const RUNS_UNTIL_TOPUP = 500
const DAY = 86_400_000
const SILENCE_MS = 10_000

export interface Theatre {
  readonly sandbox: Sandbox
  /** Lets a flow happen to people whom nobody knows, and tells its events. Equal draws take equal turns. */
  record(flow: Flow, draw: string): Promise<Recording>
  /** The same as the calls that it makes. */
  callsOf(flow: Flow, draw: string): Promise<readonly RecordedRequest[]>
  /** What has happened since it was last asked. */
  news(): Promise<Recording>
  /** What the application has asked of the service since that was last asked. */
  requests(): Promise<Seen[]>
}

interface Place {
  port?: number | undefined
  world?: string | undefined
  isTaken: (address: string) => boolean
  /** Those that are to be recorded; scenarios need to be known from the beginning. */
  flows?: readonly Flow[] | undefined
}

/** Ids and people follow from `seed`: a handler that has seen another run must not take them for old acquaintances. */
export async function openTheatre(
  seed: string,
  { port, world = 'default', isTaken, flows = [] }: Place,
): Promise<Theatre> {
  const sandbox = await createSandbox({ world, ...(port === undefined ? {} : { port }) })
  const { client } = sandbox
  // Every run of a flow has the same events in the same order, so nothing is left to chance.
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

  const news = async () => {
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
    return flow.run({ client, clock, trigger, url, apiKey, agentId, channelId, person, uuid, pick })
  }

  return {
    sandbox,
    news,
    requests,
    async record(flow, draw) {
      await prepare(flow)
      await take(flow, draw)
      // What the flow itself has asked for is not the application's.
      asked = await lastRequest()
      return news()
    },
    async callsOf(flow, draw) {
      await prepare(flow)
      const from = await lastRequest()
      await take(flow, draw)
      return (await client.logs.list({ after: String(from), full: 'true', limit: '1000' })).requests
    },
  }
}

/** The bodies as they would be posted; a list of events would be written anew. */
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

/** Puts the world back to what it is now; only its time goes on, by whole days, and its ids are never the same. */
async function worldAsItIs(sandbox: Sandbox): Promise<() => Promise<void>> {
  const snapshot = await sandbox.snapshot()
  const from = Date.parse(await sandbox.clock.now())
  return async () => {
    const days = Math.floor((Date.parse(await sandbox.clock.now()) - from) / DAY) + 1
    await sandbox.restore(snapshot)
    await sandbox.clock.advance(`${days}d`)
  }
}
