import { listOfAddress } from '../../service/messages/of-address.ts'
import { recipientsOf } from '../../service/messages/reading.ts'
import { matches, PatternFault } from '../../waiting/pattern.ts'
import { clockInWords, dueInWords, until } from '../../waiting/until.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { oneTimeCodeIn } from '../../words/one-time-code.ts'
import { problem } from '../../words/problem.ts'
import type { AsyncAction } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { clockOf, limitsIn } from '../clock/waiting.ts'
import { normalAddress } from './address.ts'
import { type Arrival, arrivalsAt, positionNow } from './arrivals.ts'
import type { showCode, showLink } from './contract.ts'

const WITHIN = '5s'

/** Other requests wait while a pattern is matched. */
const PATTERN_MS = 50

export const code: AsyncAction<typeof showCode> = async (world, { params, query, caller }) => {
  const wanted = { what: 'one-time code', of: ({ text }: Arrival) => oneTimeCodeIn(text) }
  const { found, ...rest } = await newest(world, params.address, query, caller.signal, wanted)
  return { code: found, ...rest }
}

export const link: AsyncAction<typeof showLink> = async (world, { params, query, caller }) => {
  const isWanted = matcherOf(query.match)
  const wanted = {
    what: query.match === undefined ? 'link' : `link that matches ${query.match}`,
    of: ({ links }: Arrival) => links.find(({ url, text }) => isWanted(url) || isWanted(text)),
    others: ({ links }: Arrival) => links.map(({ url, text }) => (text === '' ? url : `${url} (${quoted(text)})`)),
  }
  const { found, ...rest } = await newest(world, params.address, query, caller.signal, wanted)
  return { ...found, ...rest }
}

function matcherOf(match: string | undefined): (text: string) => boolean {
  if (match === undefined) return () => true
  const [, pattern, flags] = /^\/(.+)\/([a-z]*)$/.exec(match) ?? []
  if (pattern === undefined) return (text) => text.toLowerCase().includes(match.toLowerCase())
  const test = (text: string) => {
    try {
      return matches(pattern, text, { flags: flags?.replace('g', '') ?? '', timeoutMs: PATTERN_MS })
    } catch (error) {
      if (error instanceof PatternFault)
        throw brokenField('match', 'invalid_format', `cannot be used: ${error.message}`)
      throw error
    }
  }
  // An invalid one is refused at once.
  test('')
  return test
}

interface Wanted<Found> {
  what: string
  of(arrival: Arrival): Found | undefined
  /** What a message has of this kind besides what is wanted. */
  others?(arrival: Arrival): string[]
}

/** The newest of what has arrived that has what is wanted; a refusal names the nearest miss. */
async function newest<Found>(
  world: World,
  to: string,
  { within = WITHIN, after }: { within?: string | undefined; after?: string | undefined },
  signal: AbortSignal,
  wanted: Wanted<Found>,
) {
  const address = normalAddress(to)
  const from = after ?? positionNow(world)
  const limits = await limitsIn(world, within, signal)
  // An auto clock does not move while the application works, so the machine's time is used.
  const clock = world.clock.pace.mode === 'auto' ? undefined : limits.clock
  const outcome = await until({ ...limits, clock }, () => {
    for (const arrival of arrivalsAt(world, address, from)) {
      if (!arrival.isNew) continue
      const found = wanted.of(arrival)
      // Whatever else has arrived is older.
      if (found !== undefined) return { found, message: arrival.message, cursor: positionNow(world) }
    }
    return undefined
  })
  if ('found' in outcome) return outcome.found
  const since = after === undefined ? '' : ` after the cursor ${after}`
  const waited = limits.withinMs === 0 ? ' so far' : ` within ${within}`
  const end = outcome.ending === 'time is up' ? `${waited}.` : `. ${clockInWords(clockOf(world))}`
  throw problem(
    'not_arrived',
    [`No ${wanted.what} arrived at ${address}${since}${end}`, ...nearest(world, address, from, wanted)].join(' '),
  )
}

const MAX_CHARACTERS = 120
const MAX_OTHERS = 5

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_CHARACTERS))

function lackOf<Found>(message: Arrival, { others }: Wanted<Found>): string {
  const all = others?.(message) ?? []
  if (all.length === 0) return `The newest message has none: ${quoted(message.text)}.`
  const more = all.length > MAX_OTHERS ? ` and ${all.length - MAX_OTHERS} more` : ''
  return `The newest message has only ${all.slice(0, MAX_OTHERS).join(', ')}${more}.`
}

/** The nearest candidate: a message that is too old, one without a match, or one that has not arrived. */
function nearest<Found>(world: World, address: string, from: string, wanted: Wanted<Found>): string[] {
  const arrivals = arrivalsAt(world, address, from)
  const fresh = arrivals.find(({ isNew }) => isNew)
  const stale = arrivals.find((arrival) => !arrival.isNew && wanted.of(arrival) !== undefined)
  const misses = [
    ...(fresh ? [lackOf(fresh, wanted)] : []),
    ...(stale
      ? [`An earlier one arrived at ${stale.message.at}. To match it, read the cursor of the inbox before the send.`]
      : []),
    ...underWay(world, address),
  ]
  if (misses.length > 0) return misses
  const [newest] = arrivals
  if (newest) return [`The newest message there arrived before, at ${newest.message.at}.`]
  const [other] = recipientsOf(world, { kind: null, like: null }, { limit: 1, offset: 0 }).rows
  const elsewhere = other ? [`The newest message of this world is to ${other.recipient}.`] : []
  return [`Nothing has arrived at ${address} at all.`, ...elsewhere]
}

function underWay(world: World, address: string): string[] {
  const [last] = listOfAddress(world, { address, after: 0 }, { limit: 1 }).messages
  if (last?.direction !== 'OUTBOUND' || last.delivered_at !== null) return []
  const reason = last.failure_reason === null ? '' : ` (${last.failure_reason})`
  return [
    `The newest message to it, ${last.id}, is ${last.status}${reason}. ${dueInWords(clockOf(world), 'advance the clock')}`,
  ]
}
