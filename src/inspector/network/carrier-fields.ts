import type { Answer } from '../api/client.ts'
import type { PageAction } from '../api/page-action.ts'
import { carrierDelay, carrierShare, failures, throughput, weight } from './actions.ts'

export type CarrierAnswer = Answer<'carriers', 'show'>

interface Field {
  name: keyof CarrierAnswer
  title: string
  value: (carrier: CarrierAnswer) => string
  act: (carrier: string, text: string) => PageAction
  /** The meaning of an empty value. */
  empty?: string
}

const percent = (share: number) => String(Math.round(share * 1000) / 10)

const share = (name: 'delivered' | 'read' | 'never_delivered', title: string): Field => ({
  name,
  title,
  value: (carrier) => percent(carrier[name]),
  act: (carrier, text) => carrierShare(carrier, name, text),
})

const delay = (name: 'dispatch_delay' | 'delivery_delay' | 'failure_delay' | 'read_delay', title: string): Field => ({
  name,
  title,
  value: (carrier) => carrier[name],
  act: (carrier, text) => carrierDelay(carrier, name, text),
})

/** Editable fields of a carrier, from the queue to reading. */
export const FIELDS: readonly Field[] = [
  {
    name: 'weight',
    title: 'Share of phones (weight)',
    value: (carrier) => String(carrier.weight),
    act: weight,
  },
  {
    name: 'throughput',
    title: 'Messages per second',
    value: (carrier) => (carrier.throughput === null ? '' : String(carrier.throughput)),
    act: throughput,
    empty: 'no limit',
  },
  delay('dispatch_delay', 'Queued to dispatched'),
  delay('delivery_delay', 'Dispatched to delivered'),
  delay('failure_delay', 'Dispatched to failed'),
  delay('read_delay', 'Delivered to read'),
  share('delivered', 'Delivered, %'),
  {
    name: 'failed',
    title: 'Failed, by reason',
    value: ({ failed }) =>
      Object.entries(failed)
        .map(([reason, part]) => `${reason}=${percent(part)}%`)
        .join(' '),
    act: failures,
    empty: 'none',
  },
  share('never_delivered', 'Never delivered, %'),
  share('read', 'Read after delivery, %'),
]
