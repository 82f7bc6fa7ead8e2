import type { LoggedEvent } from '../../controls/events/contract.ts'
import { endingIn } from '../audit/facts.ts'
import { isStop } from '../audit/stop.ts'

/** An event after which an address must not be sent to, or has no session any more. */
export interface Ending {
  address: string
  body: string
  isOfSession: boolean
}

export function endingOf(body: string): Ending | undefined {
  const event = JSON.parse(body) as LoggedEvent
  const { from, to, with: partner } = event.data as { from?: string; to?: string; with?: string }
  if (event.event === 'conversation.ended') return { address: partner!, body, isOfSession: true }
  const isOver = event.event === 'conversation.started' ? isStop(event.data.user_message.text) : endingIn(event)
  return isOver ? { address: (from ?? to)!, body, isOfSession: false } : undefined
}
