import { parseRange, type Range } from '../../words/range.ts'
import type { CarrierProfile, Preset } from './contract.ts'

type Character = Partial<Omit<CarrierProfile, 'name' | 'weight' | 'delivered'>>

const delay = (text: string): Range => parseRange(text)!

/** The settings of each preset. `down` changes the outage alone. */
export const presets: Readonly<Record<Preset, Character>> = {
  perfect: {
    dispatch_delay: delay('100ms'),
    delivery_delay: delay('300ms'),
    failure_delay: delay('300ms'),
    read_delay: delay('1s'),
    read: 1,
    failed: {},
    never_delivered: 0,
    outage: false,
    throughput: null,
  },
  realistic: {
    dispatch_delay: delay('~50ms..500ms'),
    delivery_delay: delay('~500ms..8s'),
    failure_delay: delay('~1s..15s'),
    read_delay: delay('~5s..20m'),
    read: 0.75,
    failed: { UNKNOWN_RCS_USER: 0.015, MESSAGE_EXPIRED: 0.005, REJECTED_SPAM: 0.005 },
    never_delivered: 0.015,
    outage: false,
    throughput: null,
  },
  flaky: {
    dispatch_delay: delay('~200ms..10s'),
    delivery_delay: delay('~3s..3m'),
    failure_delay: delay('~3s..1m'),
    read_delay: delay('~10s..1h'),
    read: 0.5,
    failed: { UNKNOWN_RCS_USER: 0.1, MESSAGE_EXPIRED: 0.1, REJECTED_SPAM: 0.05 },
    never_delivered: 0.05,
    outage: false,
    throughput: null,
  },
  down: { outage: true },
}
