import { operations } from '../../client/operations.ts'
import { toFullAnswer } from '../../controls/logs/exchange-record.ts'
import { requestsOf } from '../../controls/logs/log.ts'
import { sleep } from '../../http/sleep.ts'
import { stopwatch } from '../../http/stopwatch.ts'
import type { TargetList } from '../../http/target-list.ts'
import type { Sandbox } from '../../library/sandbox.ts'
import { emulatorOf } from '../../library/sandbox-of.ts'
import { startSandbox } from '../../library/start.ts'
import type { LogEvent } from '../../relay/stream.ts'
import type { FailedAnswer, FailedCall } from '../../scenarios/deliveries.ts'
import type { RecordedRequest } from '../../scenarios/record.ts'
import { listen } from '../../server/listen.ts'
import { eventsIn, lastSeq } from '../../service/events/log.ts'
import { DEFAULT_AGENT, DEFAULT_CHANNEL, OTHER_AGENT } from '../../words/worlds.ts'
import { machineNow } from '../../world/machine-time.ts'
import { seededNumber, seededUuids } from '../../world/random.ts'
import { isoTime } from '../../world/time/clock.ts'
import { type Seen, seenRequest } from '../audit/seen.ts'
import { copier, customerOf, personIn, renaming, similarTo, spaced, timeOf } from './copies.ts'
import type { Flow, LogEvents, Person, Stage } from './flow.ts'
import { type Gate, gateBefore, type Replacement } from './gate.ts'
import { nextOf } from './instants.ts'
import { subjectsIn } from './parts.ts'
import { flowOf, withoutInstants } from './scenario.ts'

/** A number block that the German regulator reserves, with three digits more than any phone has. */
const PHONES = '+4917139200'
const emailOf = (number: string) => `person-${number}+news@example.test`
/** The people of a saved schedule. */
const PEOPLE = /\+4[39]17139200\d{5}\b|\bperson-\d{5}\+(?:news|offers)@example\.test\b|\bcustomer-\d{5}\b/g
/** Whether a text names people of an exploration. */
export const hasPeople = (text: string) => text.search(PEOPLE) >= 0
const MAX_PEOPLE = 100_000
/** After this time, messages of the application have arrived. */
export const UNTIL_DONE = '10s'
/** After this time nothing is pending, sessions included. */
const UNTIL_QUIET = '25h'
/** Runs between resets of the sandbox, so that memory and balance stay constant. */
const RUNS_UNTIL_RESET = 300
/** With less of its first balance, a world gets it again. */
const LEAST_SHARE = 0.1
/** The explorer makes all deliveries itself: an application may register its endpoint when it starts. */
const NOBODY: TargetList = { allows: () => false }
const DAY = 86_400_000
/** A saved flow reaches its instant for at least this time. */
const VALID_MS = 730 * DAY
/** The first events of a flow with an instant take as long. */
const HALF_MS = 9_500
/** Between two looks at a fault, machine ms. */
const LOOK_EVERY_MS = 20

export type FlowSandbox = Awaited<ReturnType<typeof openFlowSandbox>>

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
) {
  // With a fixed start of the clock, ids repeat unless the seed is new.
  const sandbox = await startSandbox({ world, now: isoTime(machineNow()), seed }, { allowWebhookTargets: NOBODY })
  const { client, url, apiKey } = sandbox
  const { answer, worlds } = emulatorOf(sandbox)
  const gate: Gate = gateBefore(answer)
  const outside = await listen(gate.answer, {
    port: port ?? 0,
    host: undefined,
    staysInBackground: true,
    nextRequestId: () => worlds.nextRequestId(),
  })
  await setOutcomes(sandbox)
  const hasOther = (await client.agents.get(OTHER_AGENT).catch(() => undefined)) !== undefined
  const otherAgentId = hasOther ? OTHER_AGENT : DEFAULT_AGENT
  const restoreWorld = flows.some(({ scenario }) => scenario) ? await currentWorld(sandbox) : undefined
  const validUntil = worlds.ofProcess.now() + VALID_MS
  const uuids = seededUuids(seed, 'explore', '')
  let people = Math.floor(seededNumber(seed, 'people') * MAX_PEOPLE)
  let runs = 0
  let after = 0
  let lastAudited = 0
  let throttled = new AbortController()
  /** The addresses of the flow that is recorded. */
  const ofFlow = new Set<string>()
  const failing: Promise<void>[] = []
  /** Faults that cut answers. */
  const cutting = new Set<string>()
  /** The last request before the balance was emptied. */
  let unpaidAfter: number | undefined

  const noted = (address: Omit<Person, 'contactId'>) => {
    ofFlow.add(address.phone).add(address.email)
    return address
  }

  const newAddresses = (): Omit<Person, 'contactId'> => {
    const number = String(++people % MAX_PEOPLE).padStart(5, '0')
    const [phone, email] = [`${PHONES}${number}`, emailOf(number)]
    return isTaken(phone) || isTaken(email) ? newAddresses() : noted({ phone, email })
  }

  const person: Stage['person'] = async (consent, how) => {
    const isSimilar = typeof how === 'object'
    const address = isSimilar ? noted({ phone: similarTo(how.phone), email: similarTo(how.email) }) : newAddresses()
    // Those who get emails have an id in the system of the application, and the others have not.
    const own = consent?.[0] === 'EMAIL' && !isSimilar ? { external_id: customerOf(address.email) } : {}
    // A list of contacts to import has the address that they gave.
    const only = how === 'imported' ? (consent?.[0] === 'EMAIL' ? 'email' : 'phone') : how
    const contact = { ...(only === 'phone' || only === 'email' ? { [only]: address[only] } : address), ...own }
    if (how === 'imported') await client.contacts.import({ contacts: [contact] })
    // An imported contact exists already and does not change.
    const { id } = await client.contacts.create(contact)
    if (consent) {
      const [channel_type, message_type] = consent
      await client.consent.record(id, { channel_type, message_type, status: 'GRANTED', source: 'signup form' })
    }
    return { contactId: id, ...address } satisfies Person
  }

  // Both logs are read at each look at the application, where a call of the client would take most of the time.
  /** Events since the last call. */
  const newEvents = (): LogEvents => {
    const events = eventsIn(worlds.ofProcess, { after, limit: Number.MAX_SAFE_INTEGER })
    after = events.at(-1)?.seq ?? after
    return events.map(({ seq, event, body }) => ({ seq, event, body }))
  }

  /** Requests of the application since the last call. */
  const requests = (): Seen[] => {
    const logged = [...requestsOf(worlds.ofProcess).after(lastAudited)]
    lastAudited = lastRequest()
    return logged
      .filter(({ url }) => url.startsWith('/v1/'))
      .map(toFullAnswer)
      .map((one) => ({
        ...seenRequest(one),
        isUnanswered: gate.unanswered.has(one.request_id) || cutting.has(one.fault ?? ''),
      }))
  }

  const lastEvent = () => lastSeq(worlds.ofProcess)

  const lastRequest = () => requestsOf(worlds.ofProcess).range.last_seq

  /** Responses of the application must not be older than the events that it gets. */
  const passTo = async (instant: number) => {
    const behindMs = instant - worlds.ofProcess.now()
    if (behindMs > 0) await sandbox.clock.advance(`${behindMs}ms`)
  }

  const renew = async () => {
    const now = worlds.ofProcess.now()
    await sandbox.reset()
    await passTo(now)
    await setOutcomes(sandbox)
  }

  /** Lets time pass until nothing of earlier runs is pending. */
  const quieten = async () => {
    if (restoreWorld === undefined && ++runs % RUNS_UNTIL_RESET === 0) await renew()
    await sandbox.clock.advance(UNTIL_QUIET)
  }

  const { free: freeAtStart } = await client.billing.balance()

  const empty = async () => {
    unpaidAfter ??= lastRequest()
    await client.billing.setBalance({ free: 0 })
  }

  const reload = async () => {
    if (unpaidAfter === undefined) return
    unpaidAfter = undefined
    await client.billing.setBalance({ free: freeAtStart })
  }

  /** No send has been refused since the balance was emptied. */
  const isYetUnpaid = () =>
    unpaidAfter !== undefined &&
    ![...requestsOf(worlds.ofProcess).after(unpaidAfter)].some(({ status }) => status === 402)

  /** A long history runs a flow thousands of times in one world. */
  const refill = async () => {
    const { free } = await client.billing.balance()
    if (free < freeAtStart * LEAST_SHARE) await client.billing.setBalance({ free: freeAtStart })
  }

  /** A saved schedule may be played several times, and an application remembers the people that it has met. */
  const withNewPeople = (flow: Flow, isBeside: boolean): Flow => {
    const text = flow.scenario?.text ?? ''
    const changed = text.replace(PEOPLE, renaming(newAddresses))
    return changed === text ? flow : flowOf(isBeside ? withoutInstants(changed) : changed, `${flow.name}.yaml`)
  }

  const hasFixedPeople = ({ scenario }: Flow) => scenario !== undefined && !hasPeople(scenario.text)

  const perform = async (flow: Flow, draw: string, isBeside = false) => {
    if (flow.scenario && restoreWorld && !isBeside) await restoreWorld(flow.scenario.text)
    const pick: Stage['pick'] = (what, among) =>
      among[(turnOf(draw, what, among.length) + variantOf(draw)) % among.length]!
    if (flow.instants && !isBeside) {
      const instant = nextOf(pick('instant', flow.instants), Math.max(worlds.ofProcess.now(), validUntil))
      await client.clock.advance({ to: isoTime(instant - HALF_MS) })
    }
    after = lastEvent()
    ofFlow.clear()
    const uuid = () => uuids(++people)
    const ids = { agentId: DEFAULT_AGENT, otherAgentId, channelId: DEFAULT_CHANNEL }
    const { clock, trigger } = sandbox
    await withNewPeople(flow, isBeside).run({
      client,
      clock,
      trigger,
      url,
      apiKey,
      ...ids,
      person,
      addresses: newAddresses,
      uuid,
      pick,
    })
  }

  const record = async (flow: Flow, draw: string, isBeside?: boolean) => {
    // What the application does now, or has done since the last flow, is not a part of this one.
    const goOn = gate.pause()
    try {
      if (lastEvent() > after) await sandbox.clock.advance(UNTIL_DONE)
      await refill()
      await perform(flow, draw, isBeside)
      // Excludes the flow's own requests.
      lastAudited = lastRequest()
      const all: LogEvent[] = []
      let events: LogEvents = []
      // Events that happen by themselves after the last step must not be older than those that are moved.
      for (let more = newEvents(); more.length > 0; more = newEvents()) {
        all.push(...(flow.scenario ? more : eventsAbout(ofFlow, more)))
        events = spaced(all, flow.isQuick)
        await passTo(timeOf(events.at(-1)))
      }
      return events
    } finally {
      goOn()
    }
  }

  /** Copies recorded events to new people; they happened this time later, by default a little later each time. */
  const copy = copier(seed, newAddresses, () => worlds.ofProcess.now())

  return {
    sandbox,
    /** The address for the application, behind the gate. */
    url: `http://localhost:${outside.port}`,
    gate,
    /** The balance is empty, so that sends fail. */
    get isUnpaid() {
      return unpaidAfter !== undefined
    },
    reload,
    /** Lets the application's next calls about the person of an event fail. */
    async failNextCall({ answer, seconds = RETRY_AFTER_S }: FailedCall, event: LogEvent) {
      if (answer === '402') return empty()
      if (answer === 'late') return
      const to = personIn(event)
      // A mailbox has no RCS.
      if (to === undefined || (answer === '404' && to.includes('@'))) return
      const { calls, replacedBy, ...fault } = FAILURES[answer]
      for (const routes of calls()) {
        const { id } = await client.faults.add({
          routes,
          to,
          ...fault,
          ...(answer === '429' && { retry_after: seconds }),
        })
        if (replacedBy) gate.replaced.set(id, replacedBy)
        if (fault.truncate !== undefined) cutting.add(id)
        const uses = USES_UNTIL_WAIT[answer]
        if (uses) failing.push(endAfter(sandbox, id, { uses, seconds }, throttled.signal))
      }
    },
    /** Waits until all calls that are to fail have failed, machine ms at most. */
    async untilCallsFail(mostMs: number) {
      const elapsed = stopwatch()
      const isLeft = async () => {
        const { faults } = await client.faults.list()
        return faults.some(({ to }) => faults.every((one) => one.to !== to || one.hits === 0))
      }
      while (elapsed() < mostMs && (isYetUnpaid() || (await isLeft()))) await sleep(LOOK_EVERY_MS, throttled.signal)
      // The answer arrives.
      await sleep(LOOK_EVERY_MS, throttled.signal)
    },
    /** Lets no further call fail. */
    async endFailures() {
      throttled.abort()
      throttled = new AbortController()
      await Promise.all(failing.splice(0))
      await client.faults.clear()
      await reload()
      gate.replaced.clear()
      gate.endWithheld()
    },
    quieten,
    newEvents,
    requests,
    copy,
    /** Runs a flow with new people and returns its events. Equal draws make equal choices. */
    record: (flow: Flow, draw: string) => record(flow, draw),
    /** Runs a flow that was just recorded for other people, in the same world; copies it if its people are fixed. */
    recordBeside: async (flow: Flow, draw: string, recording: LogEvents) =>
      hasFixedPeople(flow) ? copy(recording) : record(flow, draw, true),
    async stop() {
      throttled.abort()
      await outside.close()
      await sandbox.stop()
    },
    /** The calls of the same run. */
    async callsOf(flow: Flow, draw: string): Promise<readonly RecordedRequest[]> {
      // They are repeated in a new world, where the balance is not what earlier runs have left of it.
      await renew()
      const from = lastRequest()
      await perform(flow, draw)
      lastAudited = lastRequest()
      return (await client.logs.list({ after: String(from), full: 'true', limit: '1000' })).requests
    },
  }
}

/**
 * The events that name one of these addresses, or nobody: an application may have sent something just before. What they
 * name as well counts as an address from then on.
 */
function eventsAbout(addresses: Set<string>, events: LogEvents): LogEvents {
  return events.filter(({ body }) => {
    const subjects = subjectsIn(body).filter((subject) => !subject.startsWith('run_'))
    const isMeant = subjects.length === 0 || subjects.some((subject) => addresses.has(subject))
    if (isMeant) for (const subject of subjects) addresses.add(subject)
    return isMeant
  })
}

const RETRY_AFTER_S = 1
/** An application that waits exactly as long as Retry-After says must not be refused once more. */
const EARLY_MS = 50

/** Calls of the service. */
const callsOf = (isMeant: (id: string, method: string) => boolean) =>
  Object.entries(operations).flatMap(([noun, verbs]) =>
    Object.entries(verbs).flatMap(([verb, { method, path }]) =>
      path.startsWith('/v1/') && isMeant(`${noun}.${verb}`, method) ? `${noun}.${verb}` : [],
    ),
  )
const isChange = (method: string) => method !== 'get'
const isSend = (id: string) => id.startsWith('messages.')
const changes = () => [callsOf((_, method) => isChange(method))]

interface Failure {
  /** Lists of operations, of which one call each fails. */
  calls: () => string[][]
  replacedBy?: Replacement
  times?: number
  status?: number
  error?: string
  latency?: string
  truncate?: number
}

const FAILURES: Readonly<Record<Exclude<FailedAnswer, '402' | 'late'>, Failure>> = {
  503: {
    // An application may try a send again, and forget to do so with what it records.
    calls: () => [
      callsOf((id, method) => isChange(method) && isSend(id)),
      callsOf((id, method) => isChange(method) && !isSend(id)),
    ],
    ...{ status: 503, times: 1 },
  },
  429: { calls: changes, status: 429 },
  // A fault with an effect of its own would lose any answer.
  none: { calls: changes, replacedBy: 'reset', latency: '1ms' },
  502: { calls: () => [callsOf(() => true)], replacedBy: 'page', status: 502 },
  // As long as the phone has no RCS.
  404: { calls: () => [['messages.send']], status: 404, error: 'device_not_rcs_capable' },
  // A read that breaks off must not be taken for an empty one.
  part: { calls: () => [callsOf((_, method) => !isChange(method)), ...changes()], truncate: 0.5, times: 1 },
  never: { calls: changes, replacedBy: 'nothing', status: 504, times: 1 },
}

/** The failed calls of which the last one asks for a wait. A call that does not wait fails, too. */
const USES_UNTIL_WAIT: Readonly<Partial<Record<FailedAnswer, number>>> = { 429: 1, 502: 2 }

/** Removes a fault as late after a number of uses as its answer says. */
async function endAfter(
  { client }: Sandbox,
  id: string,
  { uses, seconds }: { uses: number; seconds: number },
  signal: AbortSignal,
) {
  try {
    while ((await client.faults.show(id)).hits < uses) await sleep(LOOK_EVERY_MS, signal)
    await sleep(seconds * 1_000 - LOOK_EVERY_MS - EARLY_MS, signal)
    await client.faults.remove(id)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Leaves nothing to chance, so that every run of a flow has the same events in the same order. */
async function setOutcomes({ client }: Sandbox) {
  const behaviour = { outcome: 'delivered', delivery_delay: '1s', read: false } as const
  for (const to of [PHONES, similarTo(PHONES)]) await client.rules.add({ match: { to: `${to}*` }, behaviour })
}

/** The variant that a draw asks for is its last number. */
const variantOf = (draw: string) => Number(/(\d+)$/.exec(draw)?.[1] ?? 0)
const turnOf = (draw: string, what: string, count: number) =>
  Math.floor(seededNumber(draw.replace(/\d+$/, ''), what) * count)

/**
 * Returns a function that restores the current world with new ids. Its time moves on by whole days, or to the instant to which
 * the scenario advances it first.
 */
async function currentWorld(sandbox: Sandbox): Promise<(scenario: string) => Promise<void>> {
  const snapshot = await sandbox.snapshot()
  const from = Date.parse(await sandbox.clock.now())
  return async (scenario) => {
    const days = Math.floor((Date.parse(await sandbox.clock.now()) - from) / DAY) + 1
    await sandbox.restore(snapshot)
    const [, instant] = FIXED_INSTANT.exec(scenario) ?? []
    // It must lie ahead. Events that the world plans before it do not belong to the scenario.
    if (instant === undefined) await sandbox.clock.advance(`${days}d`)
    else await sandbox.clock.advanceTo(isoTime(Date.parse(instant) - 1))
  }
}

/** A step that advances the clock to an instant. */
const FIXED_INSTANT = /\badvance: *["']?(\d{4}-[\w:.+-]+)/
