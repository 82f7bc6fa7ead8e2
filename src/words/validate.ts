import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { type Detail, problem } from './problem.ts'

/** Parses, or throws the 400 that names each broken field (interface §7). */
export function validate<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const details = result.error.issues.flatMap((issue) => detailsOf(issue as RawIssue, schema))
  const first = details[0]!
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  throw problem('validation_error', `${first.field || `The ${where}`}: ${first.message}${more}.`, { details })
}

type Path = readonly PropertyKey[]
type RawIssue = z.core.$ZodIssue

function detailsOf(issue: RawIssue, schema: z.ZodType): Detail[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key]),
      code: 'unknown_field',
      message: `unknown field${suggest(key, knownKeys(schema, issue.path))}`,
    }))
  if (issue.code === 'invalid_union') {
    // The branch that got furthest is the one that was meant.
    const branches = issue.errors.map((errors) =>
      errors.flatMap((inner) => detailsOf({ ...inner, path: [...issue.path, ...inner.path] } as RawIssue, schema)),
    )
    return branches.sort((a, b) => a.length - b.length)[0] ?? [{ field: fieldName(issue.path), code: 'invalid_value', message: issue.message }]
  }
  return [{ field: fieldName(issue.path), code: codeOf(issue), message: messageOf(issue) }]
}

/** `['content','suggestions',3,'reply']` → `content.suggestions[3].reply`. */
function fieldName(path: Path): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part)),
    '',
  )
}

const isMissing = (issue: RawIssue) => 'input' in issue && issue.input === undefined

function codeOf(issue: RawIssue): string {
  if (issue.code === 'invalid_type' || issue.code === 'invalid_value') return isMissing(issue) ? 'required' : issue.code
  if (issue.code === 'custom') return String(issue.params?.code ?? 'invalid_value')
  return issue.code
}

function messageOf(issue: RawIssue): string {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && isMissing(issue)) return 'is required'
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values.map(String))}${guess(issue)}`
  if (issue.code === 'too_big') return `must have at most ${issue.maximum}${unitOf(issue.origin)}`.replace('have at most', sized(issue.origin) ? 'have at most' : 'be at most')
  if (issue.code === 'too_small') return `must have at least ${issue.minimum}${unitOf(issue.origin)}`.replace('have at least', sized(issue.origin) ? 'have at least' : 'be at least')
  return issue.message
}

const sized = (origin: string) => origin === 'string' || origin === 'array' || origin === 'object' || origin === 'record'
const unitOf = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '')
const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : type === 'nonoptional' ? 'given' : `a ${type}`)
const oneOf = (values: string[]) => (values.length === 1 ? values[0]! : `one of ${values.join(', ')}`)

function guess(issue: RawIssue & { code: 'invalid_value' }): string {
  return typeof issue.input === 'string' ? suggest(issue.input, issue.values.map(String)) : ''
}

/** `, did you mean "ttl"?` when a known word is near enough to be meant. */
export function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near ? `, did you mean "${near}"?` : ''
}

export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const lower = word.toLowerCase()
  const near = closest(lower, known.map((k) => k.toLowerCase()))
  const original = known.find((k) => k.toLowerCase() === near)
  return distance(lower, near) <= Math.max(2, Math.floor(word.length / 3)) ? original : undefined
}

/** The keys an object schema at a path knows; empty where the path leads to no object. */
function knownKeys(schema: z.ZodType, path: Path): string[] {
  let here: z.core.$ZodType[] = [schema]
  for (const part of path) here = here.flatMap(unwrap).flatMap((inner) => childOf(inner, part))
  return here.flatMap(unwrap).flatMap((inner) => (inner instanceof z.ZodObject ? Object.keys(inner.shape) : []))
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap())
  if (schema instanceof z.ZodPipe) return unwrap(schema.in)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrap)
  return [schema]
}

function childOf(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return part in schema.shape ? [schema.shape[part as string]!] : []
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  return []
}
