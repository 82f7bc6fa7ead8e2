import { z } from 'zod'
import { eventHint, isSubscribed } from '../../words/event-patterns.ts'
import { checkedText } from '../../words/text.ts'
import { type EventName, type EventSubscription, eventFamilies, eventNames } from './catalogue.ts'

export const eventPatterns: readonly string[] = [...eventNames, ...eventFamilies, '*']

/** A pattern of an endpoint or reader: an event name, a family such as `message.*`, or `*`. */
export const EventNamePattern = checkedText('unknown_event', (text) => {
  if (eventPatterns.includes(text)) return undefined
  const hint = eventHint(text, eventPatterns) || `. Families are ${eventFamilies.join(', ')}`
  return `unknown event "${text.slice(0, 100)}"${hint}`
}).meta({
  id: 'EventPattern',
  description: 'An event name, a family of events such as message.*, or * for all.',
  enum: eventPatterns,
  example: 'message.*',
}) as unknown as z.ZodType<EventSubscription, EventSubscription>

/** `message.*,email.bounced` in a query, parsed into event names. */
export const EventFilter = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(z.array(EventNamePattern))
  .transform(namesOf)
  .meta({ example: 'message.*,email.bounced' })

function namesOf(events: readonly string[]): EventName[] {
  return eventNames.filter((name) => isSubscribed(events, name))
}
