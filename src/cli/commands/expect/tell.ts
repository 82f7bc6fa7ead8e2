import { eventInWords, type MissingEvent, missingInWords, nearestInWords } from '../../../waiting/event-wait.ts'
import type { SeenEvent } from '../../../waiting/expectation.ts'
import { EXIT, Fault } from '../../process/exit.ts'
import { commandToAdvance } from '../../session/next-step.ts'

export function unwanted(event: string, arrived: SeenEvent): Fault {
  return new Fault(`${event} arrived, and none was expected: ${eventInWords(arrived)} at ${arrived.timestamp}.`, {
    code: 'expectation_failed',
    exit: EXIT.expectation,
    extra: { expected: event, not: true, event: arrived },
  })
}

interface Expected {
  event: string
  count: number
  withinMs: number
  /** The message whose event was expected. */
  message: string | undefined
  /** Describes the next due work in a sentence. */
  next: string | undefined
}

export function notArrived({ event, count, withinMs, message, next }: Expected, missing: MissingEvent): Fault {
  const { nearest, matched, ending, clock } = missing
  const isLate = ending === 'time is up'
  const sentences = [missingInWords(event, count, `${withinMs / 1_000} s`, missing), nearestInWords(missing), next]
  return new Fault(sentences.filter(Boolean).join(' '), {
    code: isLate ? 'timed_out' : 'expectation_failed',
    exit: isLate ? EXIT.timedOut : EXIT.expectation,
    hint: (next && clock ? commandToAdvance(clock, withinMs) : undefined) ?? hintOf(message, nearest !== undefined),
    extra: {
      expected: event,
      count: matched.length,
      nearest: nearest ?? null,
      next_due_at: clock?.next_due_at ?? null,
    },
  })
}

function hintOf(message: string | undefined, hasEvents: boolean): string | undefined {
  if (message !== undefined) return `To see why: sandbox explain ${message}`
  return hasEvents ? 'To see the events: sandbox events list --order newest' : undefined
}
