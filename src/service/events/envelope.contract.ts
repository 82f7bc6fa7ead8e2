import { z } from 'zod'
import { EventId, Timestamp } from '../../words/ids.ts'
import { capitalised } from '../../words/sentence.ts'
import { catalogue, type EventName, eventNames } from './catalogue.ts'

/** `message.delivered` → `MessageDelivered`, as clients name their types. */
const typeOf = (name: EventName) => name.split(/[._]/).map(capitalised).join('')

/** The schemas of `data` by event. */
const data = Object.fromEntries(
  eventNames.map((name) => [
    name,
    (catalogue[name].data as z.ZodType).meta({
      id: `${typeOf(name)}Data`,
      description: `${catalogue[name].summary}.`,
      // Made when it is read, because it needs every schema.
      get example() {
        return catalogue[name].example
      },
    }),
  ]),
) as Record<EventName, z.ZodType>

/** The fields of an event as sent (interface §6). */
export const envelopeFields = (name: EventName) => ({
  id: EventId,
  event: z.literal(name).describe('Name of the event.'),
  timestamp: Timestamp.describe('Time of the event.'),
  data: data[name],
})

export const eventEnvelopes = Object.fromEntries(
  eventNames.map((name) => [
    name,
    z
      .strictObject(envelopeFields(name))
      .meta({ id: `${typeOf(name)}Event`, description: `${catalogue[name].summary}.` }),
  ]),
) as unknown as Record<EventName, z.ZodObject>
