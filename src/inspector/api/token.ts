import { signal } from '@preact/signals'

const KEY = 'control-token'

const held = signal(globalThis.sessionStorage?.getItem(KEY) ?? '')
const asked = signal(false)

/** The token of a control plane that is open to others. Kept until the tab is closed, and nowhere else. */
export const token = {
  get value() {
    return held.value
  },
  /** The server wants one, or another one. */
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

/** `sandbox open` hands it over after the hash, which no server sees; it does not stay in the address. */
export function takeTokenFromAddress() {
  const given = /[?&]token=([\x21-\x7e]{16,200}?)(?:&|$)/.exec(location.hash)?.[1]
  if (!given) return
  token.set(decodeURIComponent(given))
  history.replaceState(null, '', location.hash.replace(/[?&]token=[^&]*/, ''))
}
