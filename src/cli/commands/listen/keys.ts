import type { Dispatcher } from '../../../relay/dispatch.ts'
import type { Envelope } from '../../../relay/envelope.ts'
import type { LogEvent } from '../../../relay/stream.ts'
import { isSubscribed } from '../../../words/event-patterns.ts'
import { holds, parseWhere } from '../../../words/where.ts'
import type { Output } from '../../output/output.ts'
import { printable } from '../../output/printable.ts'
import type { Teller } from './tell.ts'

export const KEYS = 'r resends the last event, p pauses, o shows its body, f filters what is shown, q quits'

const ENTER = new Set(['\r', '\n'])
const BACKSPACE = new Set(['\u007f', '\b'])
const ESCAPE = '\u001b'

interface KeyOptions {
  output: Output
  teller: Teller
  dispatcher: Dispatcher
  /** Shows the filter while it is typed. */
  echo(text: string): void
  quit(): void
  failed(error: unknown): void
}

/** The keys of listen. */
export function createKeys({ output, teller, dispatcher, echo, quit, failed }: KeyOptions): (key: string) => void {
  /** The filter being typed; undefined outside the prompt. */
  let written: string | undefined
  const say = (text: string) => output.note((paint) => paint.dim(`  ${printable(text)}`))
  const withLast = (work: (event: LogEvent) => void) => (teller.last ? work(teller.last) : say('No event yet.'))

  const acts: Readonly<Record<string, () => void>> = {
    r: () =>
      withLast((event) => {
        say(`Sending ${event.event} again …`)
        dispatcher.again(event).then((deliveries) => teller.resent(event, deliveries), failed)
      }),
    p() {
      dispatcher.pause.set(!dispatcher.pause.isOpen)
      say(dispatcher.pause.isOpen ? 'Continuing.' : 'Paused: new events wait. Press p to continue.')
    },
    o: () => withLast(({ body }) => output.note(() => printable(body))),
    f() {
      written = ''
      say('Show only: a name such as message.*, a field such as data.to=…, or any text (empty: all). Then Enter.')
      echo('  filter: ')
    },
    q: quit,
    '?': () => say(KEYS),
  }

  const filterBy = (text: string) => {
    teller.shows = filterOf(text)
    say(text === '' ? 'Showing all events.' : `Showing only ${text}; all are forwarded as before.`)
  }

  const write = (key: string) => {
    const isErased = BACKSPACE.has(key)
    if (isErased && written === '') return
    written = isErased ? written!.slice(0, -1) : written! + key
    echo(isErased ? '\b \b' : printable(key))
  }

  return (key) => {
    if (written === undefined) return acts[key]?.()
    if (!ENTER.has(key) && key !== ESCAPE) return write(key)
    echo('\n')
    if (key !== ESCAPE) filterBy(written.trim())
    written = undefined
  }
}

function filterOf(text: string): (envelope: Envelope) => boolean {
  if (text === '') return () => true
  if (/^([a-z_]+\.[a-z_*]+|\*)$/.test(text)) return ({ event }) => isSubscribed([text], event)
  const where = text.includes('=') ? parseWhere(text) : undefined
  return (envelope) => (where ? holds(where, envelope) : JSON.stringify(envelope).includes(text))
}
