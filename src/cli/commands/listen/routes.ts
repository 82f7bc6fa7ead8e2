import { InvalidArgumentError, Option } from 'commander'
import type { ForwardTarget } from '../../../relay/forward.ts'
import type { ForwardRoute } from '../../../relay/route.ts'
import { shownUrl } from '../../../words/redact.ts'
import type { Where } from '../../../words/where.ts'
import type { Paint } from '../../output/paint.ts'
import type { Session } from '../../session/session.ts'
import { handlerUrlOf } from '../../target/handler.ts'
import type { Filters } from './filters.ts'

/** A value of --forward-to. */
export interface TargetFlag {
  url: URL
  events: string[] | undefined
}

/** Options of all modes of listen. */
export interface ForwardFlags extends Filters {
  forwardTo?: TargetFlag[]
  where?: Where[]
  header?: Record<string, string>
  secret?: string
  writeEnv?: string
  /** Time limit of an answer, ms. */
  timeout: number
}

/** `message.*,email.bounced=3000/hook`: event names before the target. No address has this form. */
const EVENTS_AND_TARGET = /^([a-z_]+\.[a-z_*]+(?:,[a-z_]+\.[a-z_*]+)*|\*)=(.*)$/s

export function routeOf(text: string): TargetFlag {
  const [, names, url] = EVENTS_AND_TARGET.exec(text) ?? []
  return { url: handlerUrlOf(url ?? text), events: names === '*' ? undefined : names?.split(',') }
}

/** The targets of a listener in its first line. */
export const shownTargets = (routes: readonly ForwardRoute[]) =>
  routes.map(({ target, events }) => ({ url: shownUrl(target.url), events: events ?? null }))

export const targetLines = (shown: ReturnType<typeof shownTargets>, paint: Paint): string[] =>
  shown.map(({ url, events }) => `  → ${paint.cyan(url)}${events ? `  ${events.join(', ')}` : ''}`)

export const routesTo = (routed: readonly TargetFlag[], common: Omit<ForwardTarget, 'url'>): ForwardRoute[] =>
  routed.map(({ url, events }) => ({ target: { ...common, url }, events, isDown: false }))

/** The targets of a listener. */
export const routesFor = (
  { endpoint: { network } }: Session,
  { forwardTo = [], timeout: timeoutMs, header }: ForwardFlags,
  secret: string,
): ForwardRoute[] => routesTo(forwardTo, { secret, timeoutMs, headers: header ?? {}, network })

/** `Name: value`, the form that curl takes. */
export const headerOption = (more = '') =>
  new Option('--header <name: value>', `${more}additional header (repeatable)`).argParser(addHeader)

function addHeader(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('It must have the form "Name: value".')
  return { ...before, [name]: value!.trimEnd() }
}
