import { nonNullFields } from '../../words/fields.ts'
import type { Behaviour, Layer } from '../carriers/behaviour.ts'
import type { MailboxChange, MailboxSettings } from './contract.ts'

/** Settings after a change: null makes a field ordinary again. */
export const changedSettings = (before: MailboxSettings, change: MailboxChange): MailboxSettings =>
  nonNullFields({ ...before, ...change })

/** A click implies an opening. */
export function layerOf({ bounces, opens, clicks, complains, unsubscribes, ...delays }: MailboxSettings): Layer {
  const said: Behaviour = {
    ...(bounces === undefined ? {} : { outcome: 'bounced' as const, bounce_type: bounces }),
    opened: opens ?? (clicks || undefined),
    clicked: clicks,
    complained: complains,
    unsubscribed: unsubscribes,
    ...delays,
  }
  return { from: 'mailbox', sets: said }
}

type Field = keyof MailboxSettings

/** Settings that a magic recipient leaves no room for; `said` is all that it decides. */
export const overriddenBy = (said: Behaviour | undefined, settings: MailboxSettings): Field[] =>
  said === undefined ? [] : (Object.keys(settings) as Field[]).filter((field) => isOverridden(said, field))

function isOverridden(said: Behaviour, field: Field): boolean {
  if (said.outcome !== undefined && said.outcome !== 'delivered') return true
  if (field === 'open_delay' && said.opened === false) return true
  if (field === 'click_delay' && said.clicked === false) return true
  return said[DECIDED_BY[field]] !== undefined
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
