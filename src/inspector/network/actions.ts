import type { EventSubscription } from '../../service/events/catalogue.ts'
import { type PageAction, pageAction, quoted } from '../api/page-action.ts'
import type { FaultRequest, RuleRequest } from './shapes.ts'

/** Actions on carriers, rules and faults. */

export const PRESETS = ['perfect', 'realistic', 'flaky', 'down'] as const

export const preset = (carrier: string, name: (typeof PRESETS)[number]): PageAction =>
  pageAction(`carriers set ${carrier} --preset ${name}`, 'carriers', 'update', carrier, { preset: name })

export const outage = (carrier: string, isOn: boolean): PageAction =>
  pageAction(`carriers set ${carrier} --${isOn ? '' : 'no-'}outage`, 'carriers', 'update', carrier, { outage: isOn })

const SHARES = { delivered: '--delivered', read: '--read', never_delivered: '--never' } as const

export const carrierShare = (carrier: string, share: keyof typeof SHARES, percent: string): PageAction =>
  pageAction(`carriers set ${carrier} ${SHARES[share]} ${quoted(`${percent}%`)}`, 'carriers', 'update', carrier, {
    [share]: partOf(percent),
  })

/** Sends text that is not a number unchanged, so that the service explains the fault. */
const partOf = (percent: string) => (Number.isNaN(Number(percent)) ? percent : Number(percent) / 100)

const DELAYS = {
  dispatch_delay: '--dispatch-delay',
  delivery_delay: '--delay',
  failure_delay: '--failure-delay',
  read_delay: '--read-delay',
} as const

export const carrierDelay = (carrier: string, delay: keyof typeof DELAYS, value: string): PageAction =>
  pageAction(`carriers set ${carrier} ${DELAYS[delay]} ${quoted(value)}`, 'carriers', 'update', carrier, {
    [delay]: value,
  })

/** `REJECTED_SPAM=10% UNKNOWN_RCS_USER=5%`, or nothing. */
export function failures(carrier: string, text: string): PageAction {
  const parts = text.split(/[\s,]+/).filter(Boolean)
  const failed = parts
    .map((part) => part.split('='))
    .map(([reason, share = '']) => [reason, partOf(share.replace(/%$/, ''))])
  const words = parts.length === 0 ? ['--fail', '0%'] : parts.flatMap((part) => ['--fail', quoted(part)])
  return pageAction(`carriers set ${carrier} ${words.join(' ')}`, 'carriers', 'update', carrier, {
    failed: Object.fromEntries(failed),
  })
}

export const throughput = (carrier: string, aSecond: string): PageAction =>
  pageAction(
    `carriers set ${carrier} --throughput ${aSecond === '' ? 'off' : quoted(`${aSecond}/s`)}`,
    'carriers',
    'update',
    carrier,
    {
      throughput: aSecond === '' ? null : Number(aSecond),
    },
  )

export const weight = (carrier: string, value: string): PageAction =>
  pageAction(`carriers set ${carrier} --weight ${quoted(value)}`, 'carriers', 'update', carrier, {
    weight: Number(value),
  })

export const resetCarrier = (carrier: string): PageAction =>
  pageAction(`carriers reset ${carrier}`, 'carriers', 'reset', carrier)

export function addRule({ to, text, outcome, reason, times, share }: RuleRequest): PageAction {
  const words = [
    ...(to ? ['--to', quoted(to)] : []),
    ...(text ? ['--text', quoted(text)] : []),
    '--outcome',
    outcome,
    ...(outcome === 'failed' ? ['--reason', reason] : []),
    ...(times ? ['--times', String(times)] : []),
    ...(share ? ['--share', quoted(share)] : []),
  ]
  return pageAction(`rules add ${words.join(' ')}`, 'rules', 'add', {
    ...(to || text ? { match: { ...(to ? { to } : {}), ...(text ? { text_contains: text } : {}) } } : {}),
    behaviour: { outcome, ...(outcome === 'failed' ? { failure_reason: reason } : {}) },
    ...(times ? { times } : {}),
    ...(share ? { share } : {}),
  })
}

export const moveRule = (id: string, position: number): PageAction =>
  pageAction(`rules update ${id} --position ${position}`, 'rules', 'update', id, { position })

export const nameRule = (id: string, name: string): PageAction =>
  name === ''
    ? pageAction(`rules update ${id} --unset name`, 'rules', 'update', id, { name: null })
    : pageAction(`rules update ${id} --name ${quoted(name)}`, 'rules', 'update', id, { name })

export const limitRule = (id: string, times: string): PageAction =>
  times === ''
    ? pageAction(`rules update ${id} --unset times`, 'rules', 'update', id, { times: null })
    : pageAction(`rules update ${id} --times ${quoted(times)}`, 'rules', 'update', id, { times: Number(times) })

export const shareRule = (id: string, share: string): PageAction =>
  share === ''
    ? pageAction(`rules update ${id} --unset share`, 'rules', 'update', id, { share: null })
    : pageAction(`rules update ${id} --share ${quoted(share)}`, 'rules', 'update', id, { share })

export const removeRule = (id: string): PageAction => pageAction(`rules remove ${id}`, 'rules', 'remove', id)

export const clearRules = (): PageAction => pageAction('rules clear', 'rules', 'clear')

export function addFault({ on, does, name, times }: FaultRequest): PageAction {
  const words = [
    on === 'call' ? '--route' : '--event',
    quoted(name),
    ...FAULT_WORDS[does],
    ...(times ? ['--times', String(times)] : []),
  ]
  return pageAction(`faults add ${words.join(' ')}`, 'faults', 'add', {
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
  'break off before the call is carried out': ['--reset', 'before'],
  'break off after the call is carried out': ['--reset', 'after'],
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
  'break off before the call is carried out': { reset: 'before' },
  'break off after the call is carried out': { reset: 'after' },
  drop: { drop: true },
  'delay by 1 min': { delay: '1m' },
  duplicate: { duplicate: true },
  'sign badly': { bad_signature: true },
} as const

export const removeFault = (id: string): PageAction => pageAction(`faults remove ${id}`, 'faults', 'remove', id)

export const clearFaults = (): PageAction => pageAction('faults clear', 'faults', 'clear')
