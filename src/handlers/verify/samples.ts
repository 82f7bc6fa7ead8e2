import type { Envelope } from '../../relay/envelope.ts'
import { catalogue, type EventName, eventNames } from '../../service/events/catalogue.ts'
import { DAY } from '../../words/duration.ts'
import { seededUuids } from '../../world/random.ts'
import { isoTime } from '../../world/time/clock.ts'

export interface SampleEvent {
  id: string
  name: string
  body: string
}

/** Makes sample events: the catalogue's examples with new ids and the current time. */
export interface Samples {
  readonly names: readonly EventName[]
  /** For the named message, or a new one. */
  event(name: EventName, change?: { message?: number; agoMs?: number; data?: object; envelope?: object }): SampleEvent
}

export function samplesOf(seed: string, nowMs: number): Samples {
  const eventIds = seededUuids(seed, 'evt_', '')
  const messageIds = seededUuids(seed, 'msg_', '')
  let count = 0
  return {
    names: eventNames,
    event(name, { message = 1000 + count, agoMs = 0, data, envelope } = {}) {
      const at = nowMs - agoMs
      const id = `evt_${eventIds(++count)}`
      const example = JSON.stringify(catalogue[name].example)
        .replace(/"msg_[^"]*"/, `"msg_${messageIds(message)}"`)
        .replaceAll('2026-01-01T00:00:00.000Z', isoTime(at))
        .replaceAll('2026-01-02T00:00:00.000Z', isoTime(at + DAY))
      const whole: Envelope = {
        id,
        event: name,
        timestamp: isoTime(at),
        data: { ...JSON.parse(example), ...data },
        ...envelope,
      }
      return { id, name: whole.event, body: JSON.stringify(whole) }
    },
  }
}
