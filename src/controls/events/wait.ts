import { MONTH_TURN } from '../../service/billing/invoices.ts'
import { impossible } from '../../service/events/catalogue.ts'
import { fromLog, missingInWords, type NextEvents, nearestInWords, waitForEvents } from '../../waiting/event-wait.ts'
import { dueInWords, isDueSoon, REST_IN_TEST_MS, type WorldClock } from '../../waiting/until.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { isRecord } from '../../words/json.ts'
import { problem } from '../../words/problem.ts'
import { isEqual, type Where } from '../../words/where.ts'
import { yieldToRequests } from '../../world/machine-time.ts'
import type { AsyncAction } from '../../world/noun.ts'
import { isoTimeOrNull } from '../../world/time/clock.ts'
import { timerStore } from '../../world/time/timer-store.ts'
import type { World } from '../../world/world.ts'
import { limitsIn } from '../clock/waiting.ts'
import { checkLease } from '../leases/actions.ts'
import { page } from './actions.ts'
import type { LoggedEvent, waitForEvent } from './contract.ts'

const WITHIN = '30s'

export const wait: AsyncAction<typeof waitForEvent> = async (world, { body, caller }) => {
  const { event, data = {}, lease, after = 0, within = WITHIN } = body
  const restMs = body.within === undefined ? REST_IN_TEST_MS : undefined
  refuseImpossible(event, data)
  if (lease !== undefined) checkLease(world, lease)
  const wanted = { event, subject: subjectOf(data), where: conditionsOf(data), count: 1 }
  const limits = { ...(await limitsIn(world, within, caller.signal)), restMs }
  const outcome = await waitForEvents(eventsAfter(world, after, lease), wanted, limits)
  if ('found' in outcome) return outcome.found[0] as LoggedEvent
  const { nearest = null, clock } = outcome.missing
  const sentences = [
    missingInWords(event, 1, within, outcome.missing),
    nearestInWords(outcome.missing),
    clock && nextInWords(world, clock),
  ]
  throw problem('not_arrived', sentences.filter(Boolean).join(' '), {
    nearest,
    next_due_at: clock?.next_due_at ?? null,
  })
}

/** Describes the next work that can cause an event. The end of a billing month causes none. */
function nextInWords(world: World, clock: WorldClock): string {
  const [first, second] = world.store(timerStore).upcoming(2, 0)
  const then = first?.kind === MONTH_TURN ? { ...clock, next_due_at: isoTimeOrNull(second?.due_at ?? null) } : clock
  return then === clock || isDueSoon(then) ? dueInWords(then, 'advance the clock') : 'No scheduled work can cause it.'
}

function refuseImpossible(event: string, data: object) {
  for (const [field, value] of Object.entries(data)) {
    const fault = impossible(event, field, value)
    if (fault) throw brokenField(`data.${field}`, fault.code, fault.message)
  }
}

/** The record whose other events count as near. */
function subjectOf(data: Readonly<Record<string, unknown>>): string | undefined {
  const subject = data.message_id ?? data.contact_id ?? data.run_id ?? data.campaign_id
  return subject === undefined ? undefined : String(subject)
}

/** A field inside another one by its path: `user_message.text`. */
const conditionsOf = (data: Readonly<Record<string, unknown>>, above = 'data'): Where[] =>
  Object.entries(data).flatMap(([name, value]) => {
    const path = `${above}.${name}`
    if (isRecord(value)) {
      // Without conditions any value would match. Many serialisers write a pattern in this form.
      if (Object.keys(value).length === 0)
        throw brokenField(path, 'invalid_value', 'is an empty object, which compares nothing')
      return conditionsOf(value, path)
    }
    return [isEqual(path, Array.isArray(value) ? JSON.stringify(value) : String(value))]
  })

/** Reads the log, or the events of a lease, from a position. */
const eventsAfter = (world: World, after: number, lease: string | undefined): NextEvents =>
  fromLog(async (query) => {
    await yieldToRequests()
    world.commit()
    return page(world, { ...query, lease })
  }, after)
