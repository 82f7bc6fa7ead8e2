import { nonNullFields } from '../../words/fields.ts'
import type { Behaviour, Layer } from '../carriers/behaviour.ts'
import type { MailboxChange, MailboxSettings } from './contract.ts'

/** Settings after a change: null makes a field ordinary again. */
export const changedSettings = (before: MailboxSettings, change: MailboxChange): MailboxSettings =>
  nonNullFields({ ...before, ...change })

/** A click implies an opening. */
export function layerOf({ bounces, opens, clicks, complains, unsubscribes, ...delays }: MailboxSettings): Layer {
  const behaviour: Behaviour = {
    ...(bounces === undefined ? {} : { outcome: 'bounced' as const, bounce_type: bounces }),
    opened: opens ?? (clicks || undefined),
    clicked: clicks,
    complained: complains,
    unsubscribed: unsubscribes,
    ...delays,
  }
  return { from: 'mailbox', sets: behaviour }
}

type Field = keyof MailboxSettings

/** Settings that a magic recipient overrides; `behaviour` is everything that it decides. */
export const overriddenBy = (behaviour: Behaviour | undefined, settings: MailboxSettings): Field[] =>
  behaviour === undefined ? [] : (Object.keys(settings) as Field[]).filter((field) => isOverridden(behaviour, field))

function isOverridden(behaviour: Behaviour, field: Field): boolean {
  if (behaviour.outcome !== undefined && behaviour.outcome !== 'delivered') return true
  if (field === 'open_delay' && behaviour.opened === false) return true
  if (field === 'click_delay' && behaviour.clicked === false) return true
  return behaviour[DECIDED_BY[field]] !== undefined
}

/** Each setting, and the part of a behaviour with which a layer decides it. */
export const DECIDED_BY: Readonly<Record<Field, keyof Behaviour>> = {
  bounces: 'outcome',
  opens: 'opened',
  clicks: 'clicked',
  complains: 'complained',
  unsubscribes: 'unsubscribed',
  delivery_delay: 'delivery_delay',
  open_delay: 'open_delay',
  click_delay: 'click_delay',
}
