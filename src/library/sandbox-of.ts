import { type Refusal, type Sender, sendDirectly } from '../client/call.ts'
import { type Client, createClient } from '../client/client.ts'
import { FAILURES_FOLDER, placeOf } from '../evidence/place.ts'
import { saveEvidence } from '../evidence/save.ts'
import { startOf, startsNow } from '../evidence/started-at.ts'
import { exchange } from '../http/exchange.ts'
import type { Emulator } from '../server/emulator.ts'
import { addressFault } from '../words/address-fault.ts'
import { apiKeyOf } from '../words/api-key.ts'
import { brokenField } from '../words/broken-fields.ts'
import { toEmail } from '../words/email-address.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import { type Pace, parsePace } from '../words/pace.ts'
import { isPhone } from '../words/phone-number.ts'
import { problem } from '../words/problem.ts'
import { arrivalsOf, type Cursors, handsetOf, mailboxOf } from './devices.ts'
import { type Fetch, inProcessFetch } from './fetch.ts'
import { BEGINNING, leasesOf } from './lease.ts'
import { startReceiver } from './receiver.ts'
import type { Sandbox, SaveEvidenceOptions } from './sandbox.ts'
import { eventsOf, settle } from './settle.ts'
import { waitFor } from './wait-for.ts'

/** Links a sandbox to its emulator, in any realm. */
export const EMULATOR = Symbol.for('messaging-sandbox.emulator')

/** The emulator that createSandbox() has started for this sandbox. */
export const emulatorOf = (sandbox: Sandbox) => (sandbox as Sandbox & { readonly [EMULATOR]: Emulator })[EMULATOR]

/** The way of requests to an emulator. */
export interface Transport {
  fetch: Fetch
  /** Sends a request (default: over a connection). */
  send?: Sender
  /** The emulator runs in this process. */
  isInProcess?: boolean
}

/** Reaches an emulator of this process without connections. */
export const inProcess = ({ url, answer }: Pick<Emulator, 'url' | 'answer'>): Transport => ({
  fetch: inProcessFetch(url, answer),
  send: ({ request }) => exchange({ ...request, handler: answer }),
  isInProcess: true,
})

export interface SandboxTraits {
  controlToken?: string | undefined
  /** Others may have used its world before, so what has arrived there may be stale. */
  isShared?: boolean
}

/** A sandbox on an emulator that runs. */
export function sandboxOf(
  emulator: Pick<Emulator, 'url' | 'stop'>,
  transport: Transport,
  apiKey: string,
  { controlToken, isShared = false }: SandboxTraits = {},
): Sandbox {
  const options = { baseUrl: emulator.url, controlToken, send: transport.send }
  const clientOf = (key: string) => createClient({ ...options, apiKey: key })
  const client = clientOf(apiKey)
  const observer = startsNow(
    createClient({ ...options, apiKey, isObserver: true, send: afterTouch(client, transport) }),
  )
  const { carriers, rules, faults, webhooks } = client
  const cursors: Cursors = new Map()
  const arrivals = (address: string) => arrivalsOf(client, address, cursors, isShared ? undefined : BEGINNING)
  return {
    url: emulator.url,
    apiKey,
    client,
    observer,
    clock: {
      advance: (by) => client.clock.advance({ by }),
      advanceTo: (to) => client.clock.advance({ to }),
      next: () => client.clock.advance({ next: true }),
      mode: async (pace) => client.clock.mode(paceFrom(pace)),
      now: async () => (await observer.clock.show()).now,
    },
    trigger: (event, fields) => client.events.trigger({ event, ...fields }),
    snapshot: async (name) => (await client.snapshots.save(name === undefined ? {} : { name })).name,
    restore: async (snapshot) => void (await client.snapshots.restore(snapshot)),
    async fork(namespace, snapshot) {
      const { name } = snapshot === undefined ? await client.snapshots.save() : { name: snapshot }
      try {
        await client.snapshots.fork(name, { namespace })
      } finally {
        if (snapshot === undefined) await client.snapshots.delete(name)
      }
      return clientOf(apiKeyOf(namespace))
    },
    ...{ carriers, rules, faults, webhooks },
    events: { ...client.events, [Symbol.asyncIterator]: () => eventsOf(observer) },
    handset: (phone) => handsetOf(client, requirePhone(phone), arrivals(phone)),
    mailbox: (address) => mailboxOf(client, requireEmail(address), arrivals(address)),
    lease: leasesOf(client, observer),
    fetch: transport.fetch,
    receiver: (options) => startReceiver({ client: observer, isInProcess: transport.isInProcess === true }, options),
    saveEvidence: (options) => saveEvidenceOf(observer, options),
    settle: () => settle(observer),
    waitFor: (event, match, options) => waitFor(observer, event, match, options),
    reset: async (scope) => void (await client.world.reset(scope === undefined ? {} : { scope })),
    as: (namespace) => clientOf(apiKeyOf(namespace)),
    namespace: (name) => namespaceOf(client, emulator.url, transport, name, controlToken),
    stop: () => emulator.stop(),
    [Symbol.asyncDispose]: () => emulator.stop(),
  }
}

/** An observer creates no namespace, so another call creates the world before it is first observed. */
function afterTouch({ events }: Client, { send = sendDirectly }: Transport): Sender {
  let touched: Promise<unknown> | undefined
  return async (call) => {
    // Changes nothing and is not recorded. A failure is ignored here, because the observing call fails in the same way.
    touched ??= events.cursor('observer').catch(() => {
      touched = undefined
    })
    await touched
    return send(call)
  }
}

/** A sandbox of a namespace, which its stop deletes. A later call would make the namespace again, so it is refused. */
function namespaceOf(
  client: Client,
  url: string,
  transport: Transport,
  name: string,
  controlToken: string | undefined,
): Sandbox {
  let hasStopped = false
  const stop = async () => {
    hasStopped = true
    await dropNamespace(client, name)
  }
  const send: Sender = (call) => {
    if (hasStopped)
      throw new Error(`This sandbox was stopped, and its namespace ${name} deleted. Was a call not awaited?`)
    return (transport.send ?? sendDirectly)(call)
  }
  const { isInProcess = false } = transport
  return sandboxOf({ url, stop }, { fetch: transport.fetch, send, isInProcess }, apiKeyOf(name), { controlToken })
}

/** A namespace that was never used does not exist. */
async function dropNamespace({ namespaces }: Client, name: string) {
  await namespaces.delete(name).catch((error: unknown) => {
    if ((error as Partial<Refusal>).code !== 'not_found') throw error
  })
}

/** The pace of a text such as `frozen`; a wrong one is refused. */
export function paceFrom(text: string): Pace {
  const pace = parsePace(text)
  if (typeof pace === 'string') throw problem('validation_error', `clock: ${pace}`)
  return pace
}

/** Saves the evidence of a test whose runner has no fixtures. */
function saveEvidenceOf(
  observer: Client,
  { title = 'sandbox', error, folder = FAILURES_FOLDER, lease, ...unknown }: SaveEvidenceOptions = {},
) {
  refuseUnknownOptions(unknown, ['title', 'error', 'folder', 'lease'], 'saveEvidence')
  const message = error === undefined ? undefined : String((error as Partial<Error>)?.message ?? error)
  const startedAt = startOf(observer)
  return saveEvidence(observer, { folder, name: placeOf({ title }), title, error: message, lease, startedAt })
}

/** Refuses a phone number in another form, which no message would ever go to. */
function requirePhone(phone: string): string {
  if (typeof phone === 'string' && isPhone(phone)) return phone
  throw brokenField('phone', 'invalid_phone', addressFault(String(phone)))
}

function requireEmail(address: string): string {
  if (typeof address === 'string' && toEmail(address) !== undefined) return address
  throw brokenField('address', 'invalid_email', 'must be an email address such as ada@example.com')
}
