import { type PageAction, pageAction, quoted, withWords } from '../api/page-action.ts'
import type { FailureChoice } from '../messages/actions.ts'

/** Actions on carriers, rules and faults. */

export const PRESETS = ['perfect', 'realistic', 'flaky', 'down'] as const

export const preset = (carrier: string, name: (typeof PRESETS)[number]): PageAction =>
  withWords(`carriers set ${carrier} --preset ${name}`, 'carriers', 'update', carrier, { preset: name })

export const outage = (carrier: string, isOn: boolean): PageAction =>
  withWords(`carriers set ${carrier} --${isOn ? '' : 'no-'}outage`, 'carriers', 'update', carrier, { outage: isOn })

const SHARES = { delivered: '--delivered', read: '--read', never_delivered: '--never' } as const

export const carrierShare = (carrier: string, share: keyof typeof SHARES, percent: string): PageAction =>
  withWords(`carriers set ${carrier} ${SHARES[share]} ${quoted(`${percent}%`)}`, 'carriers', 'update', carrier, {
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
  withWords(`carriers set ${carrier} ${DELAYS[delay]} ${quoted(value)}`, 'carriers', 'update', carrier, {
    [delay]: value,
  })

/** `REJECTED_SPAM=10% UNKNOWN_RCS_USER=5%`, or nothing. */
export function failures(carrier: string, text: string): PageAction {
  const parts = text.split(/[\s,]+/).filter(Boolean)
  const failed = parts
    .map((part) => part.split('='))
    .map(([reason, share = '']) => [reason, partOf(share.replace(/%$/, ''))])
  const words = parts.length === 0 ? ['--fail', '0%'] : parts.flatMap((part) => ['--fail', quoted(part)])
  return withWords(`carriers set ${carrier} ${words.join(' ')}`, 'carriers', 'update', carrier, {
    failed: Object.fromEntries(failed),
  })
}

export const throughput = (carrier: string, aSecond: string): PageAction =>
  withWords(
    `carriers set ${carrier} --throughput ${aSecond === '' ? 'off' : quoted(`${aSecond}/s`)}`,
    'carriers',
    'update',
    carrier,
    {
      throughput: aSecond === '' ? null : Number(aSecond),
    },
  )

export const weight = (carrier: string, value: string): PageAction =>
  withWords(`carriers set ${carrier} --weight ${quoted(value)}`, 'carriers', 'update', carrier, {
    weight: Number(value),
  })

export const resetCarrier = (carrier: string): PageAction => pageAction('carriers', 'reset', carrier)

export interface RuleRequest {
  to?: string
  text?: string
  outcome: 'delivered' | 'failed' | 'never_delivered'
  reason: FailureChoice
  times?: number
  /** `20%` */
  share?: string
}

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
  return withWords(`rules add ${words.join(' ')}`, 'rules', 'add', {
    ...(to || text ? { match: { ...(to ? { to } : {}), ...(text ? { text_contains: text } : {}) } } : {}),
    behaviour: { outcome, ...(outcome === 'failed' ? { failure_reason: reason } : {}) },
    ...(times ? { times } : {}),
    ...(share ? { share } : {}),
  })
}

export const moveRule = (id: string, position: number): PageAction => pageAction('rules', 'update', id, { position })
export const nameRule = (id: string, name: string): PageAction =>
  pageAction('rules', 'update', id, { name: name === '' ? null : name })
export const limitRule = (id: string, times: string): PageAction =>
  pageAction('rules', 'update', id, { times: times === '' ? null : Number(times) })
export const shareRule = (id: string, share: string): PageAction =>
  pageAction('rules', 'update', id, { share: share === '' ? null : share })
export const removeRule = (id: string): PageAction => pageAction('rules', 'remove', id)
export const clearRules = (): PageAction => pageAction('rules', 'clear')

export const removeFault = (id: string): PageAction => pageAction('faults', 'remove', id)
export const clearFaults = (): PageAction => pageAction('faults', 'clear')
