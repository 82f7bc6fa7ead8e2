import { signal } from '@preact/signals'
import type { Client } from '../../client/client.ts'
import { type ArgumentsOf, type Request, requestOf, ServerRefusal, send } from './client.ts'
import { namespace } from './namespace.ts'

/** An action of the page with its equivalent command. */
export interface PageAction {
  /** `handset tap +491713920050 0`, without the program and the namespace. */
  words: string
  request: Request
}

/** Declares an action: an operation and its command, which a test compares. */
export const pageAction = <N extends keyof Client, V extends keyof Client[N]>(
  words: string,
  noun: N,
  verb: V,
  ...args: ArgumentsOf<N, V>
): PageAction => ({ words, request: requestOf(noun, verb, args) })

/** The command for a shell. */
export const commandOf = ({ words }: PageAction): string =>
  `sandbox ${words}${namespace.value === 'default' ? '' : ` --api-key sk_sandbox_${namespace.value}`}`

/** Quotes a word for a shell where needed. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

export interface ActionResult {
  command: string
  says: string
  isRefused: boolean
}

/** The last result, for the foot of the page. */
export const lastResult = signal<ActionResult | undefined>(undefined)

const listeners = new Set<() => void>()

/** Calls back after each action, because not every change has an event. */
export function onAction(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Carries out an action and reports the result. Returns undefined after a refusal. */
export async function perform(one: PageAction, says: (answer: unknown) => string = () => 'Done.'): Promise<unknown> {
  const command = commandOf(one)
  try {
    const answer = await send(one.request)
    lastResult.value = { command, says: says(answer), isRefused: false }
    return answer ?? true
  } catch (error) {
    const told = error instanceof ServerRefusal ? `${error.code}: ${error.message}` : String(error)
    lastResult.value = { command, says: told, isRefused: true }
    return undefined
  } finally {
    for (const listener of listeners) listener()
  }
}
