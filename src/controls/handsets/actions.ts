import type { z } from 'zod'
import { checkCarrier, magicRecipientOf } from '../../network/carriers/actions.ts'
import { type Behaviour, type Layer, strongest } from '../../network/carriers/behaviour.ts'
import { checkSettings, deviceOf, handsetOf, handsets } from '../../network/handsets/actions.ts'
import type { HandsetSettings } from '../../network/handsets/contract.ts'
import { changedSettings, layerOf, overriddenBy } from '../../network/handsets/rules.ts'
import { DECIDED_TOGETHER } from '../../network/rules/rules.ts'
import { agentsOf } from '../../service/agents/actions.ts'
import { TEST_AGENT_ID } from '../../service/agents/contract.ts'
import { contactsWith } from '../../service/contacts/actions.ts'
import { openSession } from '../../service/conversations/actions.ts'
import { deliverWaiting } from '../../service/messages/dispatch.ts'
import { waitingFor } from '../../service/messages/waiting.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { isPhone, phoneFault } from '../../words/phone-number.ts'
import { formatRange } from '../../words/range.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { inboxOf } from '../inbox/actions.ts'
import type * as contract from './contract.ts'
import type { EffectiveHandset } from './contract.ts'

export function phoneOf(text: string): string {
  const phone = /^\d/.test(text) ? `+${text}` : text
  if (!isPhone(phone)) throw brokenField('phone', 'invalid_phone', phoneFault(phone))
  return phone
}

const MAX_CONTACTS = 200

export const list: Action<typeof contract.listHandsets> = (world, { query: { contacts, carrier } }) => {
  if (carrier !== undefined) checkCarrier(world, 'carrier', carrier)
  const all = (contacts ? phonesOfContacts(world) : [...handsets.of(world).keys()]).map((phone) =>
    toAnswer(world, phone),
  )
  return { handsets: all.filter((one) => carrier === undefined || one.carrier === carrier) }
}

const phonesOfContacts = (world: World): string[] =>
  contactsWith(world, null, { limit: MAX_CONTACTS, offset: 0 })
    .contacts.flatMap(({ phone }) => phone ?? [])
    .sort()

export const show: Action<typeof contract.showHandset> = (world, { params }) => toAnswer(world, phoneOf(params.phone))

export const set: Action<typeof contract.setHandset> = (world, { params, body }) => {
  const phone = phoneOf(params.phone)
  const settings = changedSettings(handsetOf(world, phone) ?? {}, body)
  checkSettings(world, settings)
  saveSettings(world, phone, settings)
  return toAnswer(world, phone)
}

export const reset: Action<typeof contract.resetHandset> = (world, { params }) => {
  const phone = phoneOf(params.phone)
  saveSettings(world, phone, {})
  return toAnswer(world, phone)
}

export const inbox: Action<typeof contract.showHandsetInbox> = (world, { params, query }) =>
  inboxOf(world, phoneOf(params.phone), query.limit)

export const makeOrdinary = (world: World, phone: string) => saveSettings(world, phone, {})

function saveSettings(world: World, phone: string, settings: HandsetSettings) {
  handsets.set(world, phone, settings)
  if (deviceOf(world, phone).isOn) deliverWaiting(world, phone)
}

/** The effective settings of a phone, whichever layer set them. */
function toAnswer(world: World, phone: string): z.input<typeof EffectiveHandset> {
  const settings = handsetOf(world, phone) ?? {}
  const magic = magicRecipientOf(world, phone)
  const overridden = overriddenBy(magic, settings)
  const { carrier, rcsCapable, isOn } = deviceOf(world, phone)
  const layers = [magic && { from: 'magic recipient', sets: magic }, layerOf(settings)].filter((layer) => !!layer)
  const behaviour = behaviourOf(layers)
  const from = { ...fromOf(layers), ...ofDevice(settings, overridden, magic?.rcs_capable !== undefined) }
  return {
    phone,
    carrier: carrier.name,
    rcs_capable: rcsCapable,
    on: isOn,
    read_receipts: behaviour.read_receipts ?? true,
    outcome: behaviour.outcome ?? null,
    failure_reason: behaviour.failure_reason ?? null,
    read: behaviour.read ?? null,
    replies: behaviour.replies ?? null,
    taps: behaviour.taps ?? null,
    delivery_delay: formatRange(behaviour.delivery_delay ?? carrier.delivery_delay),
    read_delay: formatRange(behaviour.read_delay ?? carrier.read_delay),
    reply_delay: formatRange(behaviour.reply_delay ?? carrier.read_delay),
    from,
    overridden,
    does: magic?.does ?? null,
    waiting: waitingFor(world, { phone }),
    sessions: sessionsOf(world, phone),
  }
}

const FIELDS = [
  'outcome',
  'failure_reason',
  'read',
  'read_receipts',
  'replies',
  'taps',
  'delivery_delay',
  'read_delay',
  'reply_delay',
] as const

/** Fields that come together from the stronger of two layers. A reason belongs to its outcome. */
const TAKEN_TOGETHER: { readonly [F in keyof Behaviour]?: readonly (keyof Behaviour)[] } = {
  ...DECIDED_TOGETHER,
  failure_reason: ['outcome'],
}

const layerFor = (layers: readonly Layer[], field: keyof Behaviour) =>
  strongest(layers, ...(TAKEN_TOGETHER[field] ?? [field]))

const behaviourOf = (layers: readonly Layer[]): Behaviour =>
  Object.fromEntries(FIELDS.map((field) => [field, layerFor(layers, field)?.sets[field]]))

type From = z.input<typeof EffectiveHandset>['from'][string]

const fromOf = (layers: readonly Layer[]): Record<string, From> =>
  Object.fromEntries(
    FIELDS.filter((field) => layerFor(layers, field)?.sets[field] !== undefined).map((field) => [
      field,
      layerFor(layers, field)!.from as From,
    ]),
  )

/** Returns the layer that decides each setting of the device; these settings are not behaviour. */
function ofDevice(settings: HandsetSettings, overridden: readonly string[], isMagic: boolean): Record<string, From> {
  const own = (['carrier', 'rcs_capable', 'on'] as const).filter(
    (field) => settings[field] !== undefined && !overridden.includes(field),
  )
  return {
    ...Object.fromEntries(own.map((field) => [field, 'handset' as const])),
    ...(isMagic ? { rcs_capable: 'magic recipient' as const } : {}),
  }
}

export const sessionsOf = (world: World, phone: string) =>
  [...agentsOf(world).map(({ agent_id }) => agent_id), TEST_AGENT_ID].flatMap((agent_id) => {
    const session = openSession(world, agent_id, phone)
    return session ? [{ agent_id, session_expires_at: isoTime(session.expires_at) }] : []
  })
