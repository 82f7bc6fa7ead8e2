import type { EventSubscription } from '../../service/events/catalogue.ts'
import { type Act, act, quoted } from '../api/act.ts'
import type { FaultRequest, RuleRequest } from './shapes.ts'

/** How carriers treat messages, and what is to go wrong. */

export const PRESETS = ['perfect', 'realistic', 'flaky', 'down'] as const

export const preset = (carrier: string, name: (typeof PRESETS)[number]): Act =>
  act(`carriers set ${carrier} --preset ${name}`, 'carriers', 'update', carrier, { preset: name })

export const outage = (carrier: string, isOn: boolean): Act =>
  act(`carriers set ${carrier} --${isOn ? '' : 'no-'}outage`, 'carriers', 'update', carrier, { outage: isOn })

const SHARES = { delivered: '--delivered', read: '--read', never_delivered: '--never' } as const

export const carrierShare = (carrier: string, share: keyof typeof SHARES, percent: string): Act =>
  act(`carriers set ${carrier} ${SHARES[share]} ${quoted(`${percent}%`)}`, 'carriers', 'update', carrier, {
    [share]: partOf(percent),
  })

/** What is no number goes to the service as it was written, which says what is wrong with it. */
const partOf = (percent: string) => (Number.isNaN(Number(percent)) ? percent : Number(percent) / 100)

const DELAYS = {
  dispatch_delay: '--dispatch-delay',
  delivery_delay: '--delay',
  failure_delay: '--failure-delay',
  read_delay: '--read-delay',
} as const

export const carrierDelay = (carrier: string, delay: keyof typeof DELAYS, value: string): Act =>
  act(`carriers set ${carrier} ${DELAYS[delay]} ${quoted(value)}`, 'carriers', 'update', carrier, { [delay]: value })

/** `REJECTED_SPAM=10% UNKNOWN_RCS_USER=5%`, or nothing. */
export function failures(carrier: string, text: string): Act {
  const parts = text.split(/[\s,]+/).filter(Boolean)
  const failed = parts
    .map((part) => part.split('='))
    .map(([reason, share = '']) => [reason, partOf(share.replace(/%$/, ''))])
  const words = parts.length === 0 ? ['--fail', '0%'] : parts.flatMap((part) => ['--fail', quoted(part)])
  return act(`carriers set ${carrier} ${words.join(' ')}`, 'carriers', 'update', carrier, {
    failed: Object.fromEntries(failed),
  })
}

export const throughput = (carrier: string, aSecond: string): Act =>
  act(
    `carriers set ${carrier} --throughput ${aSecond === '' ? 'off' : quoted(`${aSecond}/s`)}`,
    'carriers',
    'update',
    carrier,
    {
      throughput: aSecond === '' ? null : Number(aSecond),
    },
  )

export const weight = (carrier: string, value: string): Act =>
  act(`carriers set ${carrier} --weight ${quoted(value)}`, 'carriers', 'update', carrier, { weight: Number(value) })

export const resetCarrier = (carrier: string): Act => act(`carriers reset ${carrier}`, 'carriers', 'reset', carrier)

export function addRule({ to, text, outcome, reason, times, share }: RuleRequest): Act {
  const words = [
    ...(to ? ['--to', quoted(to)] : []),
    ...(text ? ['--text', quoted(text)] : []),
    '--outcome',
    outcome,
    ...(outcome === 'failed' ? ['--reason', reason] : []),
    ...(times ? ['--times', String(times)] : []),
    ...(share ? ['--share', quoted(share)] : []),
  ]
  return act(`rules add ${words.join(' ')}`, 'rules', 'add', {
    ...(to || text ? { match: { ...(to ? { to } : {}), ...(text ? { text_contains: text } : {}) } } : {}),
    behaviour: { outcome, ...(outcome === 'failed' ? { failure_reason: reason } : {}) },
    ...(times ? { times } : {}),
    ...(share ? { share } : {}),
  })
}

export const moveRule = (id: string, position: number): Act =>
  act(`rules update ${id} --position ${position}`, 'rules', 'update', id, { position })

export const nameRule = (id: string, name: string): Act =>
  name === ''
    ? act(`rules update ${id} --unset name`, 'rules', 'update', id, { name: null })
    : act(`rules update ${id} --name ${quoted(name)}`, 'rules', 'update', id, { name })

export const limitRule = (id: string, times: string): Act =>
  times === ''
    ? act(`rules update ${id} --unset times`, 'rules', 'update', id, { times: null })
    : act(`rules update ${id} --times ${quoted(times)}`, 'rules', 'update', id, { times: Number(times) })

export const shareRule = (id: string, share: string): Act =>
  share === ''
    ? act(`rules update ${id} --unset share`, 'rules', 'update', id, { share: null })
    : act(`rules update ${id} --share ${quoted(share)}`, 'rules', 'update', id, { share })

export const removeRule = (id: string): Act => act(`rules remove ${id}`, 'rules', 'remove', id)

export const clearRules = (): Act => act('rules clear', 'rules', 'clear')

export function addFault({ on, does, name, times }: FaultRequest): Act {
  const words = [
    on === 'call' ? '--route' : '--event',
    quoted(name),
    ...FAULT_WORDS[does],
    ...(times ? ['--times', String(times)] : []),
  ]
  return act(`faults add ${words.join(' ')}`, 'faults', 'add', {
    ...(on === 'call' ? { routes: [name] } : { events: [name as EventSubscription] }),
    ...FAULT_FIELDS[does],
    ...(times ? { times } : {}),
  })
}

const FAULT_WORDS: Record<FaultRequest['does'], string[]> = {
  'answer 500': ['--status', '500'],
  'answer 503': ['--status', '503'],
  'answer 429': ['--status', '429'],
  'answer 2 s late': ['--latency', '2s'],
  'break off before the deed': ['--reset', 'before'],
  'break off after the deed': ['--reset', 'after'],
  drop: ['--drop'],
  'delay by 1 min': ['--delay', '1m'],
  duplicate: ['--duplicate'],
  'sign badly': ['--bad-signature'],
}

const FAULT_FIELDS = {
  'answer 500': { status: 500 },
  'answer 503': { status: 503 },
  'answer 429': { status: 429 },
  'answer 2 s late': { latency: '2s' },
  'break off before the deed': { reset: 'before' },
  'break off after the deed': { reset: 'after' },
  drop: { drop: true },
  'delay by 1 min': { delay: '1m' },
  duplicate: { duplicate: true },
  'sign badly': { bad_signature: true },
} as const

export const removeFault = (id: string): Act => act(`faults remove ${id}`, 'faults', 'remove', id)

export const clearFaults = (): Act => act('faults clear', 'faults', 'clear')
