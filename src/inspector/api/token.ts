import { signal } from '@preact/signals'
import { namespaceOfControlToken } from '../../words/control-token.ts'

const KEY = 'control-token'

const held = signal(globalThis.sessionStorage?.getItem(KEY) ?? '')
/** `missing`: the server asks for a token; `wrong`: it refused the current one. */
const demand = signal<'missing' | 'wrong' | undefined>(undefined)

/** The control token, kept in the tab only. */
export const token = {
  get value() {
    return held.value
  },
  /** The only namespace that the token opens; undefined if it opens all of them. */
  get confinedTo() {
    return namespaceOfControlToken(held.value)
  },
  get demand() {
    return demand.value
  },
  /** Reports that the server refused a request that carried this token. */
  refused(sent: string) {
    // The answer to a request with an earlier token says nothing about the current one.
    if (sent === held.value) demand.value = sent === '' ? 'missing' : 'wrong'
  },
  set(value: string) {
    sessionStorage.setItem(KEY, value)
    held.value = value
    demand.value = undefined
  },
}

/**
 * Takes the token that `sandbox open` passes behind the hash, which no server sees, and removes it from the address.
 */
export function takeTokenFromAddress() {
  const inAddress = /[?&]token=([\x21-\x7e]{16,200}?)(?:&|$)/.exec(location.hash)?.[1]
  if (!inAddress) return
  token.set(decodeURIComponent(inAddress))
  const rest = location.hash.replace(/[?&]token=[^&]*/, '')
  history.replaceState(null, '', rest.includes('?') ? rest : rest.replace('&', '?'))
}
