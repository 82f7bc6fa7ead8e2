import { suggestInFamily } from './suggest.ts'

/** Patterns match whole names: `message.delivered` does not include `email.delivered` (interface §6). */
export const isSubscribed = (events: readonly string[], name: string): boolean =>
  events.includes(name) || events.includes('*') || events.includes(`${name.slice(0, name.indexOf('.'))}.*`)

/** Words of other services for what these events report. */
const MEANT: readonly (readonly [RegExp, string])[] = [
  [/repl(y|ied)|answer|inbound|incoming|^(message|conversation)\.(received|message)/, 'conversation.started'],
  [/^message\.(sent|accepted|created)/, 'message.queued'],
  [/^message\.(opened|seen)/, 'message.read'],
]

/** What an unknown name probably means; without a guess it lists its family, of `listed` names. */
export function eventHint(name: string, names: readonly string[], listed = names): string {
  const [, meant] = MEANT.find(([words]) => words.test(name)) ?? []
  return meant === undefined ? suggestInFamily(name, names, listed) : `, did you mean "${meant}"?`
}
