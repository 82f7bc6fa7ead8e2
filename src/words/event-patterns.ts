/** Patterns match whole names: `message.delivered` does not include `email.delivered` (interface §6). */
export const isSubscribed = (events: readonly string[], name: string): boolean =>
  events.includes(name) || events.includes('*') || events.includes(`${name.slice(0, name.indexOf('.'))}.*`)
