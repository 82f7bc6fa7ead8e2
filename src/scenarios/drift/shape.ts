import { innerName } from '../../words/field-name.ts'
import { ANY_UUID, UUID } from '../../words/uuid.ts'
import type { CallAnswer } from '../target.ts'
import type { ClosedSets } from './closed-sets.ts'

/**
 * The shape of an answer: its fields and their kinds, without values. It can be stored and shown even if the answer
 * concerned real people.
 */
export interface Shape {
  status: number
  error: string | null
  /** Fields named by a refusal, sorted. */
  named: string[]
  /** Kinds of header values by name. */
  headers: Record<string, string>
  /** Kinds by path: `billing.hold_amount`, `messages[].id`. */
  fields: Record<string, string>
}

const HEADERS = [
  'allow',
  'content-type',
  'idempotent-replayed',
  'retry-after',
  'www-authenticate',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]

/** Objects whose keys users choose. */
const OWN_KEYS = new Set(['custom_fields', 'content', 'template_data'])

const KINDS: readonly [string, RegExp][] = [
  ['empty text', /^$/],
  ['time with milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ['month', /^\d{4}-\d\d$/],
  ['uuid', ANY_UUID],
  ['amount with 4 decimals', /^\d+\.\d{4}$/],
  ['whole number as text', /^\d+$/],
  ['tier_<n>', /^tier_\d+$/],
]

export function shapeOf({ status, body, headers }: CallAnswer, closedSets: ClosedSets = {}): Shape {
  const fields: Record<string, string> = {}
  const sets = status < 300 ? closedSets : {}
  if (body !== null && typeof body === 'object') gather(body, '', { fields, sets })
  else fields[''] = body === null ? 'nothing' : 'text'
  const { error = null, details } = (body ?? {}) as { error?: string | null; details?: { field?: unknown }[] }
  return {
    status,
    error: status >= 400 && typeof error === 'string' ? error : null,
    named: Array.isArray(details) ? details.map(({ field }) => String(field)).sort() : [],
    headers: Object.fromEntries(
      HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, kindOfHeader(name, headers[name])]])),
    ),
    fields,
  }
}

interface Gathered {
  fields: Record<string, string>
  sets: ClosedSets
}

function gather(value: unknown, path: string, gathered: Gathered) {
  const { fields, sets } = gathered
  if (path !== '') fields[path] = mergedKind(fields[path], sets[path] ? memberOf(sets[path], value) : kindOf(value))
  if (value === null || typeof value !== 'object' || OWN_KEYS.has(path.split(/[.[]/).at(-1)!)) return
  if (Array.isArray(value)) for (const item of value) gather(item, `${path}[]`, gathered)
  else for (const [key, inner] of Object.entries(value)) gather(inner, innerName(path, key), gathered)
}

/** Of several list entries, one with a value is preferred. */
const mergedKind = (before: string | undefined, now: string) =>
  before === undefined || before === 'null' ? now : before

/** Values of a closed set contain no personal data. */
const memberOf = (set: readonly unknown[], value: unknown): string =>
  value === null ? 'null' : set.includes(value) ? 'a value of the interface' : JSON.stringify(value).slice(0, 60)

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? kindOfText(value) : typeof value
}

/** Ids are recognised by prefix, other texts by form. */
function kindOfText(text: string): string {
  const [, prefix] = new RegExp(`^((?:[a-z]+_)+)${UUID}$`, 'i').exec(text) ?? []
  if (prefix !== undefined) return `${prefix.replace(/^ag_(draft|live)_$/, 'ag_')}<uuid>`
  return KINDS.find(([, form]) => form.test(text))?.[0] ?? 'text'
}

function kindOfHeader(name: string, value: string): string {
  if (name === 'content-type') return value.split(';')[0]!.trim()
  return name === 'www-authenticate' ? value.split(' ')[0]! : kindOfText(value)
}
