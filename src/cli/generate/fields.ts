import { z } from 'zod'

/** The notation of a field on the command line. */
type Kind = 'text' | 'number' | 'boolean' | 'flag' | 'choice' | 'list' | 'pairs' | 'json'

export interface Field {
  /** The name in the interface: `channel_type`. */
  name: string
  kind: Kind
  /** The values of a choice, of a list's items, or of the keys of pairs. */
  choices?: readonly string[]
  required: boolean
  /** `--unset` may set it to null. */
  nullable: boolean
  /** The words of an option: lower case, no full stop. */
  description: string
  /** The kind of a text, by its example: time, address, url, duration or id. */
  value?: string
  /** The fields of an object, where a command has a flag for each. */
  inside?: Field[]
  /** The form of a list's items: `c_<uuid>`. */
  items?: string
  /** The forms of JSON that has several, or those of its items: `{tag}`. */
  forms?: readonly string[]
}

/** The fields of a body or query in their order; none where the schema is no object. */
export function fieldsOf(schema: z.ZodType | undefined): Field[] {
  const object = schema && bare(schema).schema
  if (!(object instanceof z.ZodObject)) return []
  return Object.entries(object.shape as Record<string, z.ZodType>)
    .filter(([, field]) => !(bare(field).schema instanceof z.ZodNever))
    .map(([name, field]) => fieldOf(name, field))
}

function fieldOf(name: string, field: z.ZodType): Field {
  const { schema, nullable, description } = bare(field)
  return {
    name,
    ...shapeOf(schema),
    ...valueIn(schema.meta()?.example),
    // A field with a default is optional too.
    required: field._zod.optin === undefined,
    nullable,
    description: optionText(description ?? '') + presetIn(field),
    ...(schema instanceof z.ZodObject ? { inside: fieldsOf(schema) } : {}),
  }
}

const VALUES: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT/, 'time'],
  [/^\+\d|@/, 'address'],
  [/^https?:/, 'url'],
  [/^~?[\d.]+(ms|[smhd])/, 'duration'],
  [/^[\da-f-]{36}$/, 'uuid'],
  [/[\da-f]{4}-[\da-f]{12}$/, 'id'],
]

function valueIn(example: unknown): Pick<Field, 'value'> {
  const [, value] = VALUES.find(([form]) => typeof example === 'string' && form.test(example)) ?? []
  return value === undefined ? {} : { value }
}

const optionText = (description: string) =>
  description
    .replace(/\.$/, '')
    .split(/\. (?=[A-Z])/)
    .map((sentence) => sentence.replace(/^[A-Z](?=[a-z ])(?!\w*[A-Z-])/, (letter) => letter.toLowerCase()))
    .join('; ')

interface Bare {
  schema: z.ZodType
  nullable: boolean
  description: string | undefined
}

/** Unwraps optional, default, nullable and transforms, and keeps the outermost description. */
function bare(schema: z.ZodType, nullable = false, description = schema.description): Bare {
  const inner = innerOf(schema)
  if (!inner) return { schema, nullable, description: description ?? schema.description }
  return bare(inner, nullable || schema instanceof z.ZodNullable, description ?? schema.description)
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return schema.unwrap() as z.ZodType
  // A query writes true and false as texts.
  if (schema instanceof z.ZodPipe) return (schema.out instanceof z.ZodBoolean ? schema.out : schema.in) as z.ZodType
  return undefined
}

type Shape = Pick<Field, 'kind' | 'choices' | 'forms' | 'items'>

function shapeOf(schema: z.ZodType): Shape {
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: schema.options.map(String) }
  if (schema instanceof z.ZodBoolean) return { kind: 'boolean' }
  if (schema instanceof z.ZodNumber) return { kind: 'number' }
  if (schema instanceof z.ZodLiteral) return literal([...schema.values])
  if (schema instanceof z.ZodRecord) return { kind: 'pairs', ...keysOf(schema) }
  if (schema instanceof z.ZodArray) return listOf(bare(schema.element as z.ZodType).schema)
  // A number with a second spelling, such as a share: 0.2 or 20%.
  if (schema instanceof z.ZodUnion && schema.options.every(isPlain)) return { kind: 'text' }
  if (schema instanceof z.ZodUnion)
    return { kind: 'json', forms: schema.options.map((one) => formOf(one as z.ZodType)) }
  if (schema instanceof z.ZodObject) return { kind: 'json' }
  return { kind: 'text' }
}

/**
 * The fields of one form of an object, with the values that decide: `{node: WAIT, id, next?, for}`. The forms of a field
 * within it have names only.
 */
function formOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodLiteral) return [...schema.values].join('|')
  const fields = fieldsOf(schema).map(({ name, required, kind, choices, forms, items = '…' }) => {
    const inside = forms?.map((form) => form.replace(/: [^,}]+/g, ''))
    const values = kind === 'flag' ? 'true' : kind === 'list' ? `[${items}]` : (choices ?? inside)?.join('|')
    return `${name}${required ? '' : '?'}${values ? `: ${values}` : ''}`
  })
  return `{${fields.join(', ')}}`
}

/** The keys of pairs, where the schema lists them. */
const keysOf = ({ keyType }: z.ZodRecord): Pick<Field, 'choices'> =>
  keyType instanceof z.ZodEnum ? { choices: keyType.options.map(String) } : {}

const isPlain = (schema: unknown) => schema instanceof z.ZodNumber || schema instanceof z.ZodString

const literal = (values: unknown[]): Pick<Field, 'kind' | 'choices'> =>
  values.every((value) => value === true) ? { kind: 'flag' } : { kind: 'choice', choices: values.map(String) }

function listOf(item: z.ZodType): Shape {
  const { kind, choices, forms } = shapeOf(item)
  if (kind === 'choice') return { kind: 'list', choices: choices! }
  return kind === 'text'
    ? { kind: 'list', ...itemsLike(item.meta()?.example) }
    : { kind: 'json', ...(forms ? { forms } : {}) }
}

/** `c_<uuid>` */
function itemsLike(example: unknown): Pick<Field, 'items'> {
  const [, prefix] = /^([a-z_]*)[\da-f-]{36}$/.exec(String(example)) ?? []
  return prefix === undefined ? {} : { items: `${prefix}<uuid>` }
}

/** The default of a boolean, which its description leaves to the schema. */
function presetIn(field: z.ZodType): string {
  const preset = field instanceof z.ZodDefault ? field._zod.def.defaultValue : undefined
  return typeof preset === 'boolean' ? ` (default: ${preset ? 'yes' : 'no'})` : ''
}
