import type { Delivery } from '../../src/relay/deliver.ts'
import { type RelayOptions, relay } from '../../src/relay/relay.ts'
import type { ForwardRoute } from '../../src/relay/route.ts'
import type { LogEvent } from '../../src/relay/stream.ts'
import type { Sandbox } from '../sandbox.ts'

export const SECRET = 'whsec_of-this-test'

export interface Following extends AsyncDisposable {
  /** The reports of the relay, in order: `connected 3`, `event message.queued 200`, … */
  readonly reported: string[]
  readonly events: { event: LogEvent; delivery: Delivery | undefined; deliveries: readonly Delivery[] }[]
  /** Requested delays, in ms; they take no time. */
  readonly waits: number[]
  /** Resolves at the nth report that begins with this text. */
  until(beginning: string, times?: number): Promise<void>
  stop(): Promise<number | undefined>
}

type Options = Partial<Omit<RelayOptions, 'cursor'>> & {
  to?: string
  url?: string
  timeoutMs?: number
  /** Name of the cursor. */
  cursor?: string
}

let count = 0

/** Where events go, signed with the secret of these tests. */
export const routeTo = (
  url: string,
  { timeoutMs = 5_000, events }: { timeoutMs?: number; events?: string[] } = {},
): ForwardRoute => ({
  target: { url: new URL(url), secret: SECRET, timeoutMs },
  events,
  isDown: false,
})

/** A relay that runs beside the test, on no real delays. */
export function follow(
  sandbox: Pick<Sandbox, 'url' | 'apiKey'>,
  { to, timeoutMs, cursor, ...options }: Options = {},
): Following {
  const stop = new AbortController()
  const reports: string[] = []
  const waits: number[] = []
  const events: Following['events'] = []
  const looks = new Set<() => void>()
  const tell = (line: string) => {
    reports.push(line)
    for (const look of looks) look()
  }
  const running = relay({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    routes: to === undefined ? [] : [routeTo(to, { ...(timeoutMs === undefined ? {} : { timeoutMs }) })],
    cursor: cursor === undefined ? undefined : { name: cursor, holder: `reader ${++count}` },
    wait: (ms) => {
      waits.push(ms)
      return new Promise((resume) => setImmediate(resume))
    },
    signal: stop.signal,
    on: {
      connected: (_, { cursor }) => tell(`connected ${cursor}`),
      lost: () => tell('lost'),
      waiting: ({ reason }) => tell(`waiting ${reason}`),
      newLog: (_, { cursor }) => tell(`new log ${cursor}`),
      dropped: ({ after, first_seq }) => tell(`dropped ${after} to ${first_seq}`),
      onTargetState: (state) => tell(`target ${state}`),
      event(event, deliveries) {
        const [delivery] = deliveries
        events.push({ event, delivery, deliveries })
        tell(`event ${event.event}${delivery ? ` ${delivery.last.status}` : ''}`)
      },
    },
    ...options,
  })
  running.catch((error: Error) => tell(`failed ${error.message}`))
  const end = async () => {
    stop.abort()
    return (await running).cursor
  }
  return {
    reported: reports,
    waits,
    events,
    until: (beginning, times = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (reports.filter((line) => line.startsWith(beginning)).length < times) return
          looks.delete(look)
          resolve()
        }
        looks.add(look)
        look()
      }),
    stop: end,
    async [Symbol.asyncDispose]() {
      await end().catch(() => {})
    },
  }
}
