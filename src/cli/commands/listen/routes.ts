import type { Target } from '../../../relay/forward.ts'
import type { Route } from '../../../relay/route.ts'
import { usage } from '../../exit.ts'
import { targetOf } from '../../target.ts'

/** Where events are to go. */
export interface Routed {
  url: URL
  events: string[] | undefined
}

/** `message.*,email.bounced=3000/hook`: names, then where they go. No address begins so. */
const NAMED = /^([a-z_]+\.[a-z_*]+(?:,[a-z_]+\.[a-z_*]+)*|\*)=(.*)$/s

export function routeOf(text: string): Routed {
  const [, names, url] = NAMED.exec(text) ?? []
  return { url: targetOf(url ?? text), events: names === '*' ? undefined : names?.split(',') }
}

export const routesTo = (routed: readonly Routed[], common: Omit<Target, 'url'>): Route[] =>
  routed.map(({ url, events }) => ({ target: { ...common, url }, events, isDown: false }))

/** `Name: value`, as curl has it. */
export function headersOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? []
      if (name === undefined) throw usage(`--header must have the form "Name: value", not "${text}".`)
      return [name, value!.trimEnd()]
    }),
  )
}
