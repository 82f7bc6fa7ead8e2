import { z } from 'zod'
import { brokenFields } from './broken-fields.ts'
import { fieldName } from './field-name.ts'
import type { Detail } from './problem.ts'
import { suggest } from './suggest.ts'

/** Parses a value, or throws the 400 that names each broken field (interface §7). */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: string,
  most = Number.POSITIVE_INFINITY,
): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const details: Detail[] = []
  for (const issue of result.error.issues) {
    if (details.length >= most) break
    for (const detail of detailsOf(issue as RawIssue, schema, most)) details.push(detail)
  }
  throw brokenFields(details.slice(0, most), where)
}

/** The faults of a request that are named: a body of 1 MB can have more than anybody reads, and naming each takes seconds. */
export const MOST_FAULTS = 100

/** Names the nearest field, or all fields without a near one. */
const unknownField = (key: string, fields: readonly string[]) =>
  `unknown field${suggest(key, fields) || (fields.length > 0 ? `; fields: ${fields.join(', ')}` : '')}`

type RawIssue = z.core.$ZodIssue
type UnionIssue = z.core.$ZodIssueInvalidUnion

function detailsOf(issue: RawIssue, schema: z.ZodType, most: number): Detail[] {
  if (issue.code === 'unrecognized_keys') {
    const fields = knownKeys(schema, issue)
    return issue.keys.slice(0, most).map((key) => ({
      field: fieldName([...issue.path, key]),
      code: 'unknown_field',
      message: unknownField(key, fields),
    }))
  }
  if (issue.code === 'invalid_union')
    return 'discriminator' in issue ? detailsOf(asValueIssue(issue), schema, most) : detailsOfUnion(issue, schema, most)
  // The name itself is at fault and may be empty, so the object is named.
  const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path
  return [{ field: fieldName(path), code: codeOf(issue), message: messageOf(issue) + wantedFields(issue, schema) }]
}

/** A discriminated union reports its discriminator: it must be one of the known values. */
function asValueIssue(issue: UnionIssue): RawIssue {
  const { input, discriminator = '', options = [] } = issue as UnionIssue & { discriminator?: string; options?: [] }
  const value = (input as Record<string, unknown> | undefined)?.[discriminator]
  return { code: 'invalid_value', values: options, path: issue.path, input: value, message: DISCRIMINATOR }
}

/** Marks the field that decides which fields an object has. */
const DISCRIMINATOR = 'decides'
const isOpenChoice = (issue: RawIssue): issue is RawIssue & { code: 'invalid_value' } =>
  issue.code === 'invalid_value' && issue.message === DISCRIMINATOR

/** Reports the branch with the fewest faults in the value itself, then with the fewest faults. */
function detailsOfUnion(issue: UnionIssue, schema: z.ZodType, most: number): Detail[] {
  const branches = issue.errors.map((errors) => ({
    outer: errors.filter((inner) => inner.path.length === 0 || (inner.path.length === 1 && isMissing(inner))).length,
    details: errors.flatMap((inner) =>
      detailsOf({ ...inner, path: [...issue.path, ...inner.path] } as RawIssue, schema, most),
    ),
  }))
  branches.sort((a, b) => a.outer - b.outer || a.details.length - b.details.length)
  const { details } = branches[0]!
  const others = branches.flatMap((branch) => branch.details)
  // The value fits no alternative, so any of them may have been meant.
  const isOther = ({ field, code, message }: Detail) =>
    field === fieldName(issue.path) && /^invalid_(value|type)$/.test(code) && message.startsWith(MUST_BE)
  if (!others.every(isOther)) return details
  const wanted = [...new Set(others.map(({ message }) => message.slice(MUST_BE.length)))]
  return [{ ...details[0]!, message: `${MUST_BE}${wanted.join(' or ')}` }]
}

const MUST_BE = 'must be '

const isMissing = (issue: RawIssue) => 'input' in issue && issue.input === undefined

/** A known field that this request must not have. */
const isForbidden = (issue: RawIssue) => issue.code === 'invalid_type' && issue.expected === 'never'

function codeOf(issue: RawIssue): string {
  if (issue.code === 'custom') return String(issue.params?.code ?? 'invalid_value')
  if (isMissing(issue)) return 'required'
  if (isForbidden(issue)) return 'immutable'
  return issue.code
}

function messageOf(issue: RawIssue): string {
  if (issue.code === 'custom' || isForbidden(issue)) return issue.message
  if (isMissing(issue)) return isOpenChoice(issue) ? `is required: ${oneOf(issue.values.map(String))}` : 'is required'
  // A schema's own words say more than the type or the values.
  if (/^invalid_(type|value)$/.test(issue.code) && !isOpenChoice(issue) && !issue.message.startsWith('Invalid '))
    return issue.message
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values.map(named))}${guess(issue)}`
  if (issue.code === 'too_big') return bound(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')
  if (issue.code === 'too_small') return bound(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')
  if (issue.code === 'invalid_key')
    return `the name "${String(issue.path.at(-1)).slice(0, 100)}" ${messageOf(issue.issues[0] as RawIssue)}`
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'must be a time in UTC such as 2026-01-01T00:00:00Z'
  return issue.message
}

const UNITS: Record<string, string> = { string: 'character', array: 'item', object: 'field', record: 'field' }

function bound(issue: { origin: string; exact?: boolean }, limit: number | bigint, than: string): string {
  const unit = UNITS[issue.origin]
  if (!unit) return `must be ${than} ${limit}`
  return `must have ${issue.exact ? 'exactly' : than} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
}

const TYPES: Record<string, string> = {
  array: 'an array',
  int: 'a whole number',
  nonoptional: 'given',
  object: 'an object',
  record: 'an object',
}
const article = (type: string) => TYPES[type] ?? `a ${type}`
/** A text such as "true" is not the value. */
const named = (value: unknown) => (typeof value === 'boolean' ? `the boolean ${value}` : String(value))
const oneOf = (values: string[]) => (values.length === 1 ? values[0]! : `one of ${values.join(', ')}`)

function guess(issue: RawIssue & { code: 'invalid_value' }): string {
  const texts = issue.values.filter((value) => typeof value === 'string')
  return typeof issue.input === 'string' && issue.values.length > 1 ? suggest(issue.input, texts) : ''
}

/** A value in place of an object, or of a list of objects: the reader needs the fields, required ones first. */
function wantedFields(issue: RawIssue, schema: z.ZodType): string {
  // The value as a whole is known by its name: the body, a row.
  if (issue.path.length === 0 || issue.code !== 'invalid_type' || isMissing(issue)) return ''
  if (!issue.message.startsWith('Invalid ')) return ''
  const isList = issue.expected === 'array'
  if (!isList && issue.expected !== 'object') return ''
  const objects = schemasAt(schema, isList ? [...issue.path, 0] : issue.path).filter(isObject)
  const fields = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))]
  if (objects.length !== 1 || fields.length === 0 || fields.length > MOST_FIELDS) return ''
  return `${isList ? ' of objects' : ''} with the fields ${fields.join(', ')}`
}

/** More are read in the documents. */
const MOST_FIELDS = 12

const isObject = (schema: z.core.$ZodType) => schema instanceof z.ZodObject

/** The schemas of a value at a path: several where alternatives are possible. */
function schemasAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType[] {
  let here: z.core.$ZodType[] = [schema]
  for (const part of path) here = here.flatMap(unwrap).flatMap((inner) => childOf(inner, part))
  return here.flatMap(unwrap)
}

/** The fields of the object schema at a path, of those alternatives that fit the value; empty if the path leads to none. */
function knownKeys(schema: z.ZodType, { path, input }: Pick<RawIssue, 'path' | 'input'>): string[] {
  const named = schemasAt(schema, path)
  for (const inner of named)
    if (inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum) return inner.keyType.options.map(String)
  const objects = named.filter(isObject)
  const fitting = objects.filter(({ shape }) => hasKind(shape, input))
  return [...new Set((fitting.length > 0 ? fitting : objects).flatMap(({ shape }) => Object.keys(shape)))]
}

/** Whether a value has the literals of an object, such as `node: 'WAIT'`. */
const hasKind = (shape: z.core.$ZodShape, value: unknown) =>
  Object.entries(shape).every(
    ([name, field]) =>
      !(field instanceof z.ZodLiteral) ||
      field.values.has((value as Record<string, never> | undefined)?.[name] as never),
  )

/** Unwraps schemas that accept the same input; a union gives its alternatives. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return unwrap(schema.unwrap())
  if (schema instanceof z.ZodPipe) return unwrap(schema.in)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrap)
  return [schema]
}

function childOf(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, part) ? [schema.shape[part as string]!] : []
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  return []
}
