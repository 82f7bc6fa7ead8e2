import { type Noun, section } from '../../world/noun.ts'
import { bounds, EventLog } from './bounds.ts'
import { beginLog, resetLog, takeCursorsAlong } from './log.ts'
import { logTables } from './store.ts'

/** The event log. */
export const noun: Noun = {
  tables: logTables,
  resets: { events: resetLog },
  onCopied: beginLog,
  carryOver: takeCursorsAlong,
  sections: [
    section('event_log', EventLog.describe('Limits of the event log.'), bounds.set, (world) => {
      const { keep, keep_bytes } = bounds.of(world)
      return { keep, keep_bytes }
    }),
  ],
}
