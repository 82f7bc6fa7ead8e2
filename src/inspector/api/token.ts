import { signal } from '@preact/signals'

const KEY = 'control-token'

const held = signal(globalThis.sessionStorage?.getItem(KEY) ?? '')
const asked = signal(false)

/** The control token, kept in the tab only. */
export const token = {
  get value() {
    return held.value
  },
  /** The server demands a token, or refuses the current one. */
  get isAsked() {
    return asked.value
  },
  ask() {
    asked.value = true
  },
  set(value: string) {
    sessionStorage.setItem(KEY, value)
    held.value = value
    asked.value = false
  },
}

/**
 * Takes the token that `sandbox open` passes behind the hash, which no server sees, and removes it from the address.
 */
export function takeTokenFromAddress() {
  const given = /[?&]token=([\x21-\x7e]{16,200}?)(?:&|$)/.exec(location.hash)?.[1]
  if (!given) return
  token.set(decodeURIComponent(given))
  history.replaceState(null, '', location.hash.replace(/[?&]token=[^&]*/, ''))
}
