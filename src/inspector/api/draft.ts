import { useState } from 'preact/hooks'
import { jsonOr } from '../../words/json.ts'
import { namespace } from './namespace.ts'

/**
 * What was typed and not sent yet. It is kept in the tab, so that another page, a closed dialog or a reload loses nothing:
 * loading external media reloads the page.
 */

const storage = globalThis.sessionStorage as Storage | undefined

const nameOf = (key: string) => `draft ${key}`

export const readDraft = (key: string): unknown => jsonOr(storage?.getItem(nameOf(key)) ?? '', undefined)

/** A secret stays on the page only. */
const withoutSecrets = (name: string, value: unknown) => (/secret|token|password/i.test(name) ? undefined : value)

export function keepDraft(key: string, draft: unknown) {
  try {
    if (draft === undefined) storage?.removeItem(nameOf(key))
    else storage?.setItem(nameOf(key), JSON.stringify(draft, withoutSecrets))
  } catch {
    // The storage of the tab is full. The draft is still on the page.
  }
}

/** The state of a form, as it was when its tab last showed it. Undefined discards it. */
export function useDraft<T>(key: string, blank: T): [draft: T, set: (draft: T | undefined) => void] {
  const whole = `${namespace.value} ${key}`
  const read = () => ({ whole, draft: readDraft(whole) as T | undefined })
  const [state, setState] = useState(read)
  const { draft } = state.whole === whole ? state : read()
  const set = (changed: T | undefined) => {
    keepDraft(whole, changed)
    setState({ whole, draft: changed })
  }
  return [draft ?? blank, set]
}
