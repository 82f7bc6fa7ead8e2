import { signal } from '@preact/signals'
import type { Client } from '../../client/client.ts'
import { type ArgumentsOf, Refusal, type Request, requestOf, send } from './client.ts'
import { namespace } from './namespace.ts'

/** Something that can be done here, and the command that does the same. */
export interface Act {
  /** `handset tap +491713920050 0`, without the program and the namespace. */
  words: string
  request: Request
}

/** An act is an operation of the contracts; its command is said by hand, and a test holds the two together. */
export const act = <N extends keyof Client, V extends keyof Client[N]>(
  words: string,
  noun: N,
  verb: V,
  ...args: ArgumentsOf<N, V>
): Act => ({ words, request: requestOf(noun, verb, args) })

/** As it is typed into a shell. */
export const commandOf = ({ words }: Act): string =>
  `sandbox ${words}${namespace.value === 'default' ? '' : ` --api-key sk_sandbox_${namespace.value}`}`

/** A word of a command, quoted where a shell would take it apart. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

export interface Done {
  command: string
  says: string
  isRefused: boolean
}

/** What was done last, for the line at the foot of the page. */
export const lastDone = signal<Done | undefined>(undefined)

const listeners = new Set<() => void>()

/** Calls back after each act, for what no event tells of. */
export function onActed(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Does it, and tells what came of it. Answers undefined where it was refused. */
export async function perform(one: Act, says: (answer: unknown) => string = () => 'Done.'): Promise<unknown> {
  const command = commandOf(one)
  try {
    const answer = await send(one.request)
    lastDone.value = { command, says: says(answer), isRefused: false }
    return answer ?? true
  } catch (error) {
    const told = error instanceof Refusal ? `${error.code}: ${error.message}` : String(error)
    lastDone.value = { command, says: told, isRefused: true }
    return undefined
  } finally {
    for (const listener of listeners) listener()
  }
}
