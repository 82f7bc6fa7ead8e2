import { Refusal } from '../client/call.ts'
import type { Client } from '../client/client.ts'
import type { EventData, EventName, SandboxEvent } from '../service/events/catalogue.ts'
import type { Mismatch } from '../waiting/expectation.ts'
import { refuseOtherThanJson } from '../words/json-pattern.ts'
import { acrossCopies } from '../words/kinds.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'

export interface WaitOptions {
  /** Time limit on the world's clock, or with an auto clock on the machine's; `30s` by default. */
  within?: string | undefined
  /** Only events after this position; all by default. */
  after?: number | undefined
}

/** Expected values of fields in `data`; an object is compared field by field. */
export type EventMatch<Name extends EventName> = Some<EventData<Name>>
type Some<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Field in keyof Value]?: Some<Value[Field]> }
    : Value

/** The event did not arrive. The message says why, and names the nearest event and the next scheduled work. */
export class EventMissing extends Error {
  static {
    acrossCopies(EventMissing, 'EventMissing')
  }

  /** The expected event name. */
  readonly event: string
  /** The nearest event with its difference; undefined without events. */
  readonly nearest: Mismatch | undefined
  /** The instant of the next scheduled work, ISO 8601; null without any. */
  readonly nextDueAt: string | null

  constructor(event: string, { reason, body }: Refusal) {
    super(reason)
    this.name = 'EventMissing'
    this.event = event
    this.nearest = (body.nearest as Mismatch | null) ?? undefined
    this.nextDueAt = body.next_due_at as string | null
  }
}

export async function waitFor<Name extends EventName>(
  client: Client,
  event: Name,
  match: EventMatch<Name> = {} as EventMatch<Name>,
  { within, after, ...unknown }: WaitOptions = {},
  lease?: string,
): Promise<SandboxEvent<Name>> {
  refuseUnknownOptions(unknown, ['within', 'after'], 'waitFor')
  refuseOtherThanJson(match, () => false)
  try {
    const { seq: _, ...found } = await client.events.wait({
      event,
      data: match as Parameters<Client['events']['wait']>[0]['data'],
      within,
      after,
      lease,
    })
    return found as SandboxEvent<Name>
  } catch (error) {
    throw error instanceof Refusal && error.code === 'not_arrived' ? new EventMissing(event, error) : error
  }
}
