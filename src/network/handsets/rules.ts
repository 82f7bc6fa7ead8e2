import { nonNullFields } from '../../words/fields.ts'
import type { Behaviour, Layer } from '../carriers/behaviour.ts'
import type { MagicRecipient } from '../carriers/contract.ts'
import type { HandsetChange, HandsetSettings } from './contract.ts'

/** Settings after a change: null makes a field ordinary again. The newer of a reply and a tap takes the other's place. */
export function changedSettings(before: HandsetSettings, change: HandsetChange): HandsetSettings {
  const answer = change.replies != null ? { taps: null } : change.taps != null ? { replies: null } : {}
  const outcome = change.outcome !== undefined && change.outcome !== 'failed' ? { failure_reason: null } : {}
  return nonNullFields({ ...before, ...answer, ...outcome, ...change })
}

/** Creates the layer of a phone's settings. A user who answers has read the message, unless the settings contradict. */
export function layerOf({ carrier: _, rcs_capable: __, on: ___, ...behaviour }: HandsetSettings): Layer | undefined {
  if (Object.keys(behaviour).length === 0) return undefined
  const answers = behaviour.replies !== undefined || behaviour.taps !== undefined
  return { from: 'handset', sets: answers ? { read: true, ...behaviour } : behaviour }
}

type Field = keyof HandsetSettings

/** Lists the settings that a magic recipient overrules (docs/network.md). */
export const overriddenBy = (magic: MagicRecipient | undefined, settings: HandsetSettings): Field[] =>
  magic === undefined ? [] : (Object.keys(settings) as Field[]).filter((field) => isOverridden(magic, field))

function isOverridden(magic: MagicRecipient, field: Field): boolean {
  if (field === 'carrier') return false
  if (field === 'rcs_capable') return magic.rcs_capable !== undefined || magic.outcome !== undefined
  if (magic.rcs_capable === false || (magic.outcome ?? 'delivered') !== 'delivered') return true
  if (magic.read === false && OF_READERS.has(field)) return true
  return SAID_BY[field].some((decider) => magic[decider] !== undefined)
}

const OF_READERS: ReadonlySet<Field> = new Set(['replies', 'taps', 'read_delay', 'reply_delay'])

/** The fields of a magic recipient that overrule each setting. */
const SAID_BY: Readonly<Record<Exclude<Field, 'carrier' | 'rcs_capable'>, readonly (keyof Behaviour)[]>> = {
  on: ['outcome'],
  outcome: ['outcome'],
  failure_reason: ['outcome'],
  read: ['read'],
  read_receipts: ['read', 'read_receipts'],
  replies: ['replies', 'taps'],
  taps: ['replies', 'taps'],
  delivery_delay: ['delivery_delay'],
  read_delay: ['read_delay'],
  reply_delay: ['reply_delay'],
}
