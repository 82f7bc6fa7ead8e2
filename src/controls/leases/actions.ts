import { dropNotes } from '../../network/inbox/actions.ts'
import { mailboxes } from '../../network/mailboxes/actions.ts'
import { removeRule, rulesOf } from '../../network/rules/actions.ts'
import { contactWith, dropContact } from '../../service/contacts/actions.ts'
import { ContactSeed } from '../../service/contacts/contract.ts'
import { placeContact } from '../../service/contacts/world-file.ts'
import { dropSessions } from '../../service/conversations/actions.ts'
import { dropOfAddress, lastMessage, listOfAddress } from '../../service/messages/of-address.ts'
import { cancelDeliveriesOf } from '../../service/webhooks/deliveries.ts'
import { durationMs } from '../../words/duration.ts'
import { FICTIONAL_ALIKE, fictionalPhone } from '../../words/fictional-phones.ts'
import { problem } from '../../words/problem.ts'
import { machineNow } from '../../world/machine-time.ts'
import type { Action } from '../../world/noun.ts'
import { setting } from '../../world/setting.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { removeFaultsOn } from '../faults/actions.ts'
import { makeOrdinary } from '../handsets/actions.ts'
import type * as contract from './contract.ts'
import { MAX_LEASES } from './contract.ts'
import { type LeaseRow, leaseStore } from './store.ts'

export const take: Action<typeof contract.takeLease> = (world, { body }) => {
  releaseExpired(world)
  const store = world.store(leaseStore)
  if (store.count() >= MAX_LEASES)
    throw problem('limit_exceeded', `A world has at most ${MAX_LEASES} leases; release some first.`)
  const { kind, name = null, contact, consent, expires_in } = body
  const address = freeAddress(world, kind)
  const row: LeaseRow = {
    id: world.ids.next('lse_'),
    kind,
    address,
    name,
    contact_id: contact || consent ? makeContact(world, kind, address, consent) : null,
    after_message: lastMessage(world),
    leased_at: world.now(),
    expires_at: machineNow() + durationMs(expires_in),
  }
  store.insert(row)
  return toAnswer(row)
}

const CONSENT = {
  phone: [
    { channel_type: 'RCS', message_type: 'MESSAGE' },
    { channel_type: 'RCS', message_type: 'NEWSLETTER' },
  ],
  email: [{ channel_type: 'EMAIL', message_type: 'NEWSLETTER' }],
} as const

/** Creates the contact without an event. */
const makeContact = (world: World, kind: LeaseRow['kind'], address: string, hasConsent: boolean): string =>
  placeContact(
    world,
    ContactSeed.parse({
      [kind]: address,
      consent: hasConsent ? CONSENT[kind].map((one) => ({ ...one, status: 'GRANTED', source: 'lease' })) : [],
    }),
  )

export const list: Action<typeof contract.listLeases> = (world) => ({
  leases: world.store(leaseStore).all().filter(isHeld).map(toAnswer),
})

export const show: Action<typeof contract.showLease> = (world, { params }) => toAnswer(requireLease(world, params.id))

export const messages: Action<typeof contract.listLeaseMessages> = (world, { params, query }) =>
  listOfAddress(world, messagesOf(requireLease(world, params.id)), query)

export const release: Action<typeof contract.releaseLease> = (world, { params }) => {
  const lease = requireLease(world, params.id)
  return { ...toAnswer(lease), messages: drop(world, lease) }
}

export const clear: Action<typeof contract.clearLeases> = (world) => {
  const all = world.store(leaseStore).all()
  for (const lease of all) drop(world, lease)
  return { released: all.length }
}

/** Positions of a lease's events, also after its release. */
export const eventsOfLease = (world: World, id: string): number[] => world.store(leaseStore).events(id)

export function checkLease(world: World, id: string) {
  if (eventsOfLease(world, id).length === 0) requireLease(world, id)
}

/** The data of a lease: the messages of its address after a position, and the contacts in its events. */
export function leaseScope(world: World, id: string) {
  const lease = requireLease(world, id)
  const contactIds = [lease.contact_id, contactWith(world, lease.address)?.id].filter((one) => typeof one === 'string')
  return { ...messagesOf(lease), contactIds }
}

/** Leases expire on the machine's clock, whatever the world's. */
const isHeld = ({ expires_at }: LeaseRow): boolean => expires_at > machineNow()

function releaseExpired(world: World) {
  for (const lease of world.store(leaseStore).expired(machineNow())) drop(world, lease)
}

function requireLease(world: World, id: string): LeaseRow {
  const lease = world.store(leaseStore).get(id)
  if (lease && isHeld(lease)) return lease
  throw problem('not_found', `There is no lease ${id} in this world. It may have been released, or have expired.`)
}

/** Deletes everything that concerns a lease, without events (docs/decisions/leases.md). */
function drop(world: World, lease: LeaseRow): number {
  const { id, kind, address } = lease
  const store = world.store(leaseStore)
  const dropped = dropOfAddress(world, messagesOf(lease))
  const contact = contactWith(world, address)
  if (contact) dropContact(world, contact)
  dropNotes(world, address)
  for (const rule of rulesOf(world)) if (rule.match.to?.toLowerCase() === address) removeRule(world, rule.id)
  removeFaultsOn(world, address)
  if (kind === 'email') mailboxes.set(world, address, {})
  else {
    dropSessions(world, address)
    makeOrdinary(world, address)
  }
  cancelDeliveriesOf(world, store.events(id))
  store.remove(id)
  lowerStarts(world)
  return dropped
}

/** Messages were deleted. */
export const lowerStarts = (world: World) => void world.store(leaseStore).lowerStarts({ newest: lastMessage(world) })

const messagesOf = ({ address, after_message }: LeaseRow) => ({ address, after: after_message })

const toAnswer = ({ after_message: _, leased_at, expires_at, ...lease }: LeaseRow) => ({
  ...lease,
  leased_at: isoTime(leased_at),
  expires_at: isoTime(expires_at),
})

/** The domain is kept for examples (RFC 2606), and its top level is one that applications take. */
const emailOf = (n: number): string => `lease-${n}@example.com`

const lastNumber = setting<number>('leases taken', (written) => written ?? 0)

/** An address that no lease and no contact has. Where the numbers begin follows from the seed. */
function freeAddress(world: World, kind: LeaseRow['kind']): string {
  const start = Math.floor(world.random('leased phones') * FICTIONAL_ALIKE)
  for (let n = lastNumber.of(world) + 1; ; n++) {
    const address = kind === 'phone' ? fictionalPhone(n - 1, start) : emailOf(n)
    if (world.store(leaseStore).withAddress(address) || contactWith(world, address)) continue
    lastNumber.set(world, n)
    return address
  }
}
