import { signal } from '@preact/signals'
import type { Client } from '../../client/client.ts'
import { apiKeyOf, DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { DEFAULT_BASE_URL, DEFAULT_PORT } from '../../words/default-url.ts'
import { jsonOr } from '../../words/json.ts'
import { kebab } from '../../words/kebab.ts'
import { REDACTED } from '../../words/redact.ts'
import { argumentsOf } from '../../words/request-target.ts'
import { shellWord } from '../../words/shell.ts'
import {
  type Answer,
  type ArgumentsOf,
  isUnreachable,
  operationOf,
  type Request,
  requestOf,
  ServerRefusal,
  send,
} from './client.ts'
import { namespace } from './namespace.ts'
import { type Describe, type Outcome, outcomeOf } from './outcome.ts'
import { token } from './token.ts'

/** An action of the page with its equivalent command. */
export interface PageAction {
  /** `handset tap +491713920050 0`, without the program and the namespace. */
  words: string
  /** Arguments of which one begins with a dash, which would make it an option anywhere but at the end. */
  dashed?: string
  request: Request
  /** The namespace; the shown one by default. */
  as?: string
}

/** Declares an action by its operation, from which the words of its command follow. */
export function pageAction<N extends keyof Client, V extends keyof Client[N]>(
  noun: N,
  verb: V,
  ...args: ArgumentsOf<N, V>
): PageAction {
  const { id, path } = operationOf(noun, verb)
  const { params, rest } = argumentsOf(path, args)
  const fields = Object.entries(rest[0] ?? {}).map(([name, value]) => ({
    words: wordsOf(`${id}.${name}`, name, value),
    isOption: OPTIONS[`${id}.${name}`] !== '',
  }))
  const parts = [
    ...Object.values(params).map((value) => ({ words: [shellWord(String(value))], isOption: false })),
    ...fields,
  ]
  const textOf = (some: typeof parts) => some.flatMap((part) => part.words).join(' ')
  const isDashed = parts.some((part) => !part.isOption && /^'?-/.test(part.words[0] ?? ''))
  const words = `${kebab(noun)} ${kebab(String(verb))} ${textOf(parts.filter(({ isOption }) => isOption || !isDashed))}`
  const dashed = textOf(parts.filter(({ isOption }) => !isOption))
  return { ...withWords(words.trimEnd(), noun, verb, ...args), ...(isDashed ? { dashed } : {}) }
}

/** Declares an action whose command does not follow from its operation. A test compares both. */
export const withWords = <N extends keyof Client, V extends keyof Client[N]>(
  words: string,
  noun: N,
  verb: V,
  ...args: ArgumentsOf<N, V>
): PageAction => ({ words, request: requestOf(noun, verb, args) })

/** Fields whose option has another name; '' for an argument. */
const OPTIONS: Readonly<Record<string, string>> = {
  'handsets.reply.agent_id': '--agent',
  'handsets.reply.text': '',
  'handsets.tap.message_id': '--message',
  'handsets.tap.index': '',
  'handsets.set.rcs_capable': '--rcs',
  'handsets.set.replies': '--reply',
  'mailboxes.open.message_id': '--message',
  'mailboxes.click.message_id': '--message',
  'mailboxes.click.index': '',
  'mailboxes.bounce.message_id': '--message',
  'mailboxes.bounce.bounce_type': '--type',
  'mailboxes.complain.message_id': '--message',
  'mailboxes.unsubscribe.message_id': '--message',
  'events.replay.endpoint_id': '--endpoint',
  'clock.advance.by': '',
  'agents.setLaunch.carrier': '',
  'agents.setLaunch.status': '',
  'billing.topup.amount': '',
  'namespaces.reset.scope': '',
  'snapshots.save.name': '',
  'snapshots.fork.namespace': '',
}

/** The words of a field: `--tags a,b`, `--no-outage`, `--unset name`. */
function wordsOf(id: string, name: string, value: unknown): string[] {
  const option = OPTIONS[id] ?? `--${name.replaceAll('_', '-')}`
  if (value === undefined) return []
  if (value === null) return ['--unset', option.replace('--', '')]
  if (value === true) return [option]
  if (value === false) return [option.replace('--', '--no-')]
  const text = shellWord(typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value))
  return option === '' ? [text] : [option, text]
}

const DEFAULT_ADDRESSES = [DEFAULT_BASE_URL, `http://127.0.0.1:${DEFAULT_PORT}`]

/** The command for a shell, with address and namespace where they are not the default. Holders of a secret key export it. */
export function commandOf({ words, dashed, as = namespace.value }: Omit<PageAction, 'request'>): string {
  const origin = globalThis.location?.origin
  const address = origin && !DEFAULT_ADDRESSES.includes(origin) ? ` --base-url ${origin}` : ''
  const key = as === DEFAULT_NAMESPACE || token.confinedTo === as ? '' : ` --api-key ${apiKeyOf(as)}`
  return `sandbox ${words}${address}${key}${dashed === undefined ? '' : ` -- ${dashed}`}`
}

/** The last action, for the foot of the page; it has no outcome while it runs. */
export const lastAction = signal<{ command: string; outcome?: Outcome } | undefined>(undefined)

const listeners = new Set<() => void>()

/** Calls back after each action, because not every change has an event. */
export function onAction(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The idempotency keys of requests without an answer, so that a repetition takes effect once. */
const unanswered = new Map<string, string>()

/** A UUID. A page that is opened by the name of another machine has no `crypto.randomUUID`. */
function newKey(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
}

/**
 * The recorded answer to a request whose own answer was lost; undefined if the log has no such answer.
 * The sandbox itself repeats the answers of sends only.
 */
async function recordedAnswer({ method, path }: Request, key: string, as: string): Promise<unknown> {
  const filter = { method, path: path.split('?')[0], status: '2xx', limit: 1_000 }
  const { requests } = (await send(requestOf('logs', 'list', [filter]), { as })) as Answer<'logs', 'list'>
  const recorded = requests.find(({ idempotency_key }) => idempotency_key === key)
  if (!recorded) return undefined
  const { response } = (await send(requestOf('logs', 'show', [recorded.request_id]), { as })) as Answer<'logs', 'show'>
  const { body, truncated } = response
  if (truncated || body?.includes(REDACTED))
    throw new Error(
      'The first attempt took effect, so nothing was repeated. The request log does not have its whole answer.',
    )
  return jsonOr(body ?? '', {})
}

/** Carries out an action and reports the result at the foot. Throws a refusal. */
export async function perform(act: PageAction, wordsFor: Describe): Promise<unknown> {
  const command = commandOf(act)
  const { request, as = namespace.value } = act
  const whole = JSON.stringify([as, request])
  const earlier = unanswered.get(whole)
  const idempotencyKey = earlier ?? newKey()
  unanswered.delete(whole)
  lastAction.value = { command }
  try {
    const recorded = earlier && (await recordedAnswer(request, earlier, as))
    const answer = recorded ?? (await send(request, { asUser: true, as, idempotencyKey }))
    const outcome = outcomeOf(await wordsFor(answer as never))
    const text = recorded ? `${outcome.text} The first attempt did this; nothing was repeated.` : outcome.text
    lastAction.value = { command, outcome: { ...outcome, text } }
    return answer
  } catch (error) {
    if (isUnreachable(error as Error)) unanswered.set(whole, idempotencyKey)
    const text = error instanceof ServerRefusal ? `${error.message} (${error.code})` : (error as Error).message
    lastAction.value = { command, outcome: { text, tone: 'bad' } }
    throw error
  } finally {
    for (const listener of listeners) listener()
  }
}

/** Like {@link perform}; resolves with the text of a refusal, or with undefined. */
export const tryPerform = (act: PageAction, describe: Describe): Promise<string | undefined> =>
  perform(act, describe).then(
    () => undefined,
    (error: Error) => error.message,
  )
