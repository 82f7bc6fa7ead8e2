import type { Mismatch, SeenEvent } from '../../../client/expectation.ts'
import { EXIT, Fault } from '../../process/exit.ts'

export const inWords = ({ event, id, data }: SeenEvent): string =>
  [event, data.message_id ?? data.contact_id ?? data.campaign_id ?? data.agent_id ?? id, data.failure_reason]
    .filter(Boolean)
    .join('  ')

export function unwanted(event: string, came: SeenEvent): Fault {
  return new Fault(`${event} came, and must not: ${inWords(came)} at ${came.timestamp}.`, {
    code: 'expectation_failed',
    exit: EXIT.expectation,
    extra: { expected: event, not: true, event: came },
  })
}

export const nearestInWords = ({ event, differs, wanted, was }: Mismatch): string =>
  differs === 'event'
    ? `The nearest was ${inWords(event)}.`
    : `The nearest was ${inWords(event)}, with ${differs} ${JSON.stringify(was)} instead of ${JSON.stringify(wanted)}.`
