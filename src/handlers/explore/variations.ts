import { INVENTED } from './belief.ts'

/** Reverses the end of an event id, which makes another one. */
const otherId = (body: string) =>
  body.replace(/"evt_[^"]*"/, (id) => id.replace(/[0-9a-f]{12}(?="$)/, (end) => [...end].reverse().join('')))

/** The event under a new id. */
export const renamed = otherId

/** The event with other content under its own id. */
export const altered = (body: string): string => body.replace('"data":{', '"data":{"is_test":false,')

/** An event with a name that does not exist yet, of the same family or of a family that does not exist yet either. */
export function inventedFrom(body: string, isOfSameFamily: boolean): string {
  const { event, id, ...envelope } = JSON.parse(otherId(body)) as { event: string; id: string; data: object }
  const [family] = isOfSameFamily ? event.split('.') : ['paper']
  const own = isOfSameFamily ? id : id.replace(/.{12}$/, (end) => end.slice(6) + end.slice(0, 6))
  return JSON.stringify({ id: own, ...envelope, event: `${family}.${INVENTED}`, data: { folds: 3 } })
}

const NEW_VALUES: readonly (readonly [field: RegExp, value: string])[] = [
  [/("failure_reason":)"[A-Z_]+"/, '$1"NETWORK_CONGESTED"'],
  [/("type":)"(?:text|suggested_reply|suggested_action)"/, '$1"dictated_text"'],
  [/("reason":)"ttl_expired"/, '$1"ended_by_carrier"'],
]

/** It has a field with several values. */
export const hasNewValue = (body: string): boolean => NEW_VALUES.some(([field]) => field.test(body))

/** The event with fields that do not exist yet, nested ones too, and with a new value where a field has several. */
export const withNewValue = (body: string): string =>
  NEW_VALUES.reduce((text, [field, value]) => text.replace(field, value), body)
    .replace(/(?<=[,{]"(?!data")\w+":)\{/g, '{"added_later":true,')
    .replace(/\}\}$/, ',"added_later":{"nested":[null,1.5]}},"added_later":true}')
