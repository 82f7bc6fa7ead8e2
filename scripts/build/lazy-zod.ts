import * as zod from 'zod'

/**
 * The part of zod that the sources use, with schemas that are made on first use. A process that sends one message needs
 * few of the thousand schemas that the contracts declare, and making them all took a third of its start.
 */

type Method = (...args: unknown[]) => unknown
type Made = Record<string, unknown>

/** Methods that return another schema. */
const MAKING = [
  ...['and', 'apply', 'array', 'brand', 'catch', 'check', 'default', 'describe', 'exclude', 'extend', 'extract', 'gt'],
  ...['gte', 'includes', 'int', 'length', 'loose', 'lt', 'lte', 'max', 'min', 'multipleOf', 'nonempty', 'nonnegative'],
  ...['nullable', 'nullish', 'omit', 'optional', 'or', 'overwrite', 'partial', 'pick', 'pipe', 'positive', 'prefault'],
  ...['readonly', 'refine', 'regex', 'required', 'safeExtend', 'startsWith', 'endsWith', 'strict', 'superRefine'],
  ...['toLowerCase', 'transform', 'trim'],
]
/** Methods that return anything else. */
const ASKING = ['parse', 'safeParse', 'isOptional', 'isNullable', 'toJSONSchema']
const PROPERTIES = [
  ...['_zod', '_def', 'def', 'type', 'element', 'options', 'keyType', 'valueType', 'in', 'out', 'enum'],
  ...['values', 'value', 'format', 'minValue', 'maxValue', '~standard'],
]

/** Its fields are plain ones, which are set in half the time of private ones: the contracts make 3,000 of these. */
class LazySchema {
  /** The maker of the schema: a function of zod, or a schema and the name of one of its methods. */
  declare of_: Method | LazySchema | undefined
  declare method_: string | undefined
  declare args_: unknown[]
  declare made_: Made | undefined

  constructor(of: Method | LazySchema, method: string | undefined, args: unknown[]) {
    this.of_ = of
    this.method_ = method
    this.args_ = args
    this.made_ = undefined
  }

  get made(): Made {
    if (this.made_ !== undefined) return this.made_
    const args = this.args_.map(withMade)
    const made = this.of_ instanceof LazySchema ? call(this.of_.made, this.method_!, args) : this.of_!(...args)
    this.made_ = withMade(made) as Made
    this.of_ = undefined
    this.args_ = []
    return this.made_
  }

  meta(...args: unknown[]) {
    if (args.length > 0) return new LazySchema(this, 'meta', args)
    return this.made_ === undefined ? this.#declaredMeta() : call(this.made, 'meta', [])
  }

  /** Contracts read the examples of other schemas while they are loaded. */
  #declaredMeta(): unknown {
    if (!(this.of_ instanceof LazySchema)) return undefined
    if (this.method_ === 'meta') return { ...(this.of_.meta() as object), ...(this.args_[0] as object) }
    if (this.method_ === 'describe') return { ...(this.of_.meta() as object), description: this.args_[0] }
    return SAME_SHAPE.has(this.method_!) ? this.of_.meta() : call(this.made, 'meta', [])
  }

  /** Returns the fields as lazy as they were declared, because contracts build other schemas from them. */
  get shape(): Fields {
    if (this.made_ === undefined) {
      if (OBJECTS.has(this.of_ as Method)) return this.args_[0] as Fields
      if (this.of_ instanceof LazySchema && SAME_SHAPE.has(this.method_!)) return this.of_.shape
      if (this.of_ instanceof LazySchema && this.method_ === 'partial' && this.args_.length === 0)
        return Object.fromEntries(
          Object.entries(this.of_.shape).map(([name, field]) => [name, new LazySchema(field, 'optional', [])]),
        )
    }
    return this.made.shape as Fields
  }

  get description(): unknown {
    return this.made_ === undefined && this.method_ === 'describe' ? this.args_[0] : this.made.description
  }

  unwrap(): unknown {
    const isWrapped = this.of_ instanceof LazySchema && ['optional', 'nullable'].includes(this.method_!)
    return isWrapped && this.made_ === undefined ? this.of_ : new LazySchema(this, 'unwrap', [])
  }
}

type Fields = Record<string, LazySchema>
const OBJECTS = new Set<Method>([zod.object, zod.strictObject, zod.looseObject] as Method[])
const SAME_SHAPE = new Set(['describe', 'meta', 'refine', 'superRefine', 'check'])

const call = (schema: Made, method: string, args: unknown[]) => (schema[method] as Method).apply(schema, args)

for (const name of MAKING)
  define(name, {
    value(this: LazySchema, ...args: unknown[]) {
      return new LazySchema(this, name, args)
    },
  })
for (const name of ASKING)
  define(name, {
    value(this: LazySchema, ...args: unknown[]) {
      return call(this.made, name, args)
    },
  })
for (const name of PROPERTIES)
  define(name, {
    get(this: LazySchema) {
      return this.made[name]
    },
  })

function define(name: string, member: PropertyDescriptor) {
  Object.defineProperty(LazySchema.prototype, name, member)
}

/** Builds the schemas in a value. A value without any stays itself, and an object's getters stay getters. */
function withMade(value: unknown): unknown {
  if (value instanceof LazySchema) return value.made
  if (Array.isArray(value)) {
    const items = value.map(withMade)
    return items.every((item, i) => item === value[i]) ? value : items
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const made: Record<string, unknown> = {}
  let isOther = false
  for (const name of Object.keys(value)) {
    const { get, value: member } = Object.getOwnPropertyDescriptor(value, name)!
    if (get)
      Object.defineProperty(made, name, { get: () => withMade(get.call(made)), enumerable: true, configurable: true })
    else made[name] = withMade(member)
    isOther ||= get !== undefined || made[name] !== member
  }
  return isOther ? made : value
}

/** Wraps a function of zod that returns a schema. */
const making = <F>(of: F): F => ((...args: unknown[]) => new LazySchema(of as Method, undefined, args)) as F
/** Wraps a function of zod that takes a schema and returns anything else. */
const asking = <F>(of: F): F =>
  ((schema: unknown, ...args: unknown[]) => (of as Method)(withMade(schema), ...args)) as F

export const z = {
  array: making(zod.array),
  boolean: making(zod.boolean),
  codec: making(zod.codec),
  custom: making(zod.custom),
  discriminatedUnion: making(zod.discriminatedUnion),
  email: making(zod.email),
  enum: making(zod.enum),
  int: making(zod.int),
  lazy: <S>(get: () => S) => making(zod.lazy)(() => withMade(get()) as zod.ZodType),
  literal: making(zod.literal),
  looseObject: making(zod.looseObject),
  never: making(zod.never),
  null: making(zod.null),
  number: making(zod.number),
  object: making(zod.object),
  partialRecord: making(zod.partialRecord),
  record: making(zod.record),
  strictObject: making(zod.strictObject),
  string: making(zod.string),
  stringbool: making(zod.stringbool),
  undefined: making(zod.undefined),
  union: making(zod.union),
  unknown: making(zod.unknown),
  url: making(zod.url),
  iso: { datetime: making(zod.iso.datetime) },
  encode: asking(zod.encode),
  safeParse: asking(zod.safeParse),
  toJSONSchema: asking(zod.toJSONSchema),
  NEVER: zod.NEVER,
  ZodArray: zod.ZodArray,
  ZodBoolean: zod.ZodBoolean,
  ZodDefault: zod.ZodDefault,
  ZodEnum: zod.ZodEnum,
  ZodLiteral: zod.ZodLiteral,
  ZodNever: zod.ZodNever,
  ZodNullable: zod.ZodNullable,
  ZodNumber: zod.ZodNumber,
  ZodObject: zod.ZodObject,
  ZodOptional: zod.ZodOptional,
  ZodPipe: zod.ZodPipe,
  ZodPrefault: zod.ZodPrefault,
  ZodRecord: zod.ZodRecord,
  ZodString: zod.ZodString,
  ZodUnion: zod.ZodUnion,
}
