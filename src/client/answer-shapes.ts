import { z } from 'zod'
import { operations } from '../registry/api.ts'
import { lazily } from '../words/lazy.ts'
import { isControl, type Operation } from '../words/operation.ts'

/**
 * The structure of an answer: a kind of value (`text`, `number`, `boolean`, `any`), a list of one shape, or the fields of
 * an object. A field whose name ends in `!` must be there.
 */
export type AnswerShape = string | readonly [AnswerShape] | { readonly [field: string]: AnswerShape }

type AnswerShapes = Readonly<Record<string, AnswerShape>>

/**
 * By operation id, derived from the contracts. Only answers in JSON have one. The build replaces them by plain values
 * (scripts/build/baked.ts), so that a client loads no schema.
 */
export const answerShapes: AnswerShapes = Object.defineProperties(
  {},
  Object.fromEntries(
    operations
      .filter(({ media }) => media === undefined)
      .map((operation) => [operation.id, { get: lazily(() => shapeIn(operation)), enumerable: true }]),
  ),
)

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  $ref?: string
  choice?: true | 'values'
}

function shapeIn(operation: Operation): AnswerShape {
  const schema = z.toJSONSchema(operation.output, { unrepresentable: 'any' }) as Schema & {
    $defs?: Record<string, Schema>
  }
  const isChosen = operation.choice || isControl(operation)
  const resolve = (inner: Schema): Schema =>
    inner.$ref ? { ...schema.$defs![inner.$ref.replace('#/$defs/', '')]!, ...inner, $ref: '' } : inner
  return shapeOf(schema, { isChosen, resolve }, 0)
}

interface Context {
  /** The interface leaves the answer open. */
  isChosen: boolean
  resolve(schema: Schema): Schema
}

/** Contracts may refer to themselves; below this depth any value is accepted. */
const DEPTH = 6

function shapeOf(reference: Schema, context: Context, depth: number): AnswerShape {
  const schema = context.resolve(reference)
  if (depth > DEPTH) return 'any'
  if (schema.allOf?.length === 1) return shapeOf(schema.allOf[0]!, context, depth)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return unionOf(options.filter(({ type }) => type !== 'null').map((one) => shapeOf(one, context, depth)))
  if (schema.type === 'array') return [shapeOf(schema.items ?? {}, context, depth + 1)]
  if (schema.type === 'object') return fieldsOf(schema, context, depth)
  return KINDS[schema.type ?? typeof (schema.const ?? schema.enum?.[0])] ?? 'any'
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}

/** Alternatives that differ accept anything of their common kind. */
function unionOf([first = 'any', ...others]: readonly AnswerShape[]): AnswerShape {
  const text = JSON.stringify(first)
  if (others.every((other) => JSON.stringify(other) === text)) return first
  return [first, ...others].every(isFields) ? {} : 'any'
}

const isFields = (shape: AnswerShape) => typeof shape === 'object' && !Array.isArray(shape)

function fieldsOf({ properties = {}, required = [] }: Schema, context: Context, depth: number): AnswerShape {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const shape = shapeOf(field, context, depth + 1)
      const isEssential = required.includes(name) && !isNullable(field, context) && shape !== 'any'
      return [name + (isEssential && isReliedOn(name, field, shape, context, depth) ? '!' : ''), shape]
    }),
  )
}

const isNullable = (field: Schema, { resolve }: Context): boolean => {
  const { type, anyOf = [] } = resolve(field)
  return type === 'null' || anyOf.some((one) => isNullable(one, { resolve } as Context))
}

/**
 * Stated by the interface, or what the rest hangs on: ids, and the list that an answer consists of. A service may leave
 * out what this sandbox has chosen.
 */
function isReliedOn(name: string, field: Schema, shape: AnswerShape, { isChosen, resolve }: Context, depth: number) {
  if (!isChosen && resolve(field).choice !== true) return true
  return /^(.+_)?id$/.test(name) || (depth === 0 && Array.isArray(shape) && isFields(shape[0]))
}
