import { lastNote, notesTo } from '../../network/inbox/actions.ts'
import { eventsIn, lastSeq } from '../../service/events/log.ts'
import { readable, received } from '../../service/messages/reading.ts'
import { byTime } from '../../words/by-time.ts'
import type { World } from '../../world/world.ts'
import type { InboxMessage } from './contract.ts'
import { messageToAnswer, noteToAnswer } from './entries.ts'

/** A message on a phone or in a mailbox, with everything in which a code or a link can be found. */
export interface Arrival {
  message: InboxMessage
  text: string
  links: readonly { url: string; text: string }[]
  isNew: boolean
}

/** The end of what has arrived so far, in the whole world. */
export const positionNow = (world: World): string => `${lastSeq(world)}.${lastNote(world)}`

/** More messages than that are not looked through for a code. */
const MAX_MESSAGES = 50

export function arrivalsAt(world: World, address: string, after: string): Arrival[] {
  const [event = 0, note = 0] = after.split('.').map(Number)
  const notes = notesTo(world, address, MAX_MESSAGES).map((row) => ({
    message: noteToAnswer(row),
    text: [row.subject, row.text].filter(Boolean).join('\n\n'),
    links: row.link === null ? [] : [{ url: row.link, text: row.subject ?? row.text }],
    isNew: row.seq > note,
  }))
  const messages = received(world, address, MAX_MESSAGES).map((row) => ({
    message: messageToAnswer(row),
    ...readable(row),
    isNew: arrivalOf(world, row.id) > event,
  }))
  return [...notes, ...messages].sort((a, b) => byTime(b.message, a.message))
}

/** The position of the event of its arrival; 0 if the log has dropped it. */
const arrivalOf = (world: World, id: string): number =>
  eventsIn(world, { after: 0, subject: id, names: ['message.delivered', 'email.delivered'], limit: 1 })[0]?.seq ?? 0
