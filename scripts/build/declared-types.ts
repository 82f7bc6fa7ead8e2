import { z } from 'zod'
import { triggerNames } from '../../src/controls/triggers/table.ts'
import { eventPatterns } from '../../src/service/events/patterns.ts'

/** The type of a caller's input or of the output: a field with a default is optional in input only. */
export type Way = 'input' | 'output'

/** Writes schemas as plain types with the descriptions of fields as comments, which editors show. */
export class DeclaredTypes {
  /** Interfaces, by their names. */
  readonly #named = new Map<string, string>()
  /** The places of fields without a description. */
  readonly undocumented: string[] = []
  readonly #way: Way

  constructor(way: Way) {
    this.#way = way
  }

  get interfaces(): string {
    return [...this.#named.values()].join('\n\n')
  }

  /** The type of a schema. `where` names it for people. */
  typeOf(schema: z.core.$ZodType, where: string): string {
    const { enum: values } = (schema as z.ZodType).meta() ?? {}
    // A description of the field takes the id of its schema away.
    if (values === eventPatterns) return 'EventSubscription'
    if (values === triggerNames) return unionOf(triggerNames.map((name) => JSON.stringify(name)))
    if (schema instanceof z.ZodObject) return this.#objectOf(schema, where)
    if (schema instanceof z.ZodArray) return listOf(this.typeOf(schema.element, `${where}[]`))
    if (schema instanceof z.ZodUnion) return unionOf(schema.options.map((one) => this.typeOf(one, where)))
    if (schema instanceof z.ZodNullable) return unionOf([this.typeOf(schema.unwrap(), where), 'null'])
    if (schema instanceof z.ZodOptional) return unionOf([this.typeOf(schema.unwrap(), where), 'undefined'])
    if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
      const inner = this.typeOf(schema.unwrap(), where)
      return this.#way === 'input' ? unionOf([inner, 'undefined']) : inner
    }
    if (schema instanceof z.ZodRecord) return this.#recordOf(schema, where)
    if (schema instanceof z.ZodPipe) return this.typeOf(this.#sideOf(schema), where)
    if (schema instanceof z.ZodLiteral) return unionOf([...schema.values].map((value) => JSON.stringify(value)))
    if (schema instanceof z.ZodEnum) return unionOf(schema.options.map((value) => JSON.stringify(value)))
    const plain = PLAIN[(schema as z.ZodType).def.type]
    if (plain === undefined)
      throw new Error(`${where}: a schema of the type ${(schema as z.ZodType).def.type} has no type`)
    return plain
  }

  /** Writes the type of a query, whose numbers may be given as numbers and travel as text. */
  queryOf(query: z.ZodObject, where: string): string {
    return this.#fieldsOf(query, where, (type) => type.replace(/^string\b/, 'string | number'))
  }

  /** The result of a transformation is unknown here, but a transformation changes the spelling at most. */
  #sideOf = (pipe: z.ZodPipe) => (this.#way === 'input' || pipe.out instanceof z.ZodTransform ? pipe.in : pipe.out)

  #mayBeLeftOut(schema: z.core.$ZodType): boolean {
    if (schema instanceof z.ZodOptional) return true
    if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return this.#way === 'input'
    return schema instanceof z.ZodPipe && this.#mayBeLeftOut(this.#sideOf(schema))
  }

  #recordOf({ keyType, valueType }: z.ZodRecord, where: string): string {
    const value = this.typeOf(valueType, `${where}[…]`)
    const key = this.typeOf(keyType, where)
    return key === 'string' ? `Record<string, ${value}>` : `{ [Name in ${key}]?: ${unionOf([value, 'undefined'])} }`
  }

  /** Writes a named schema as an interface, unless this place has a variant of it. */
  #objectOf(schema: z.ZodObject, where: string): string {
    const { id, description } = (schema.meta() ?? {}) as { id?: string; description?: string }
    const fields = this.#fieldsOf(schema, where)
    if (id === undefined) return fields
    const name = `${id}${this.#way === 'input' && !/(Request|Input)$/.test(id) ? 'Input' : ''}`
    const text = `${comment(description ?? '')}export interface ${name} ${fields}`
    if ((this.#named.get(name) ?? text) !== text) return fields
    this.#named.set(name, text)
    return name
  }

  #fieldsOf({ shape }: z.ZodObject, where: string, as = (type: string) => type): string {
    const fields = Object.entries(shape).map(([name, field]) => {
      const place = `${where}.${name}`
      const says = commentOf(field)
      if (says === undefined) this.undocumented.push(place)
      const mark = this.#mayBeLeftOut(field) ? '?' : ''
      return `${comment(says ?? '')}${nameOf(name)}${mark}: ${as(this.typeOf(field, place))};`
    })
    return blockOf(fields)
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  int: 'number',
  boolean: 'boolean',
  null: 'null',
  undefined: 'undefined',
  unknown: 'unknown',
  never: 'never',
  custom: 'Uint8Array',
}

export const blockOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '{}' : `{\n${lines.join('\n').replaceAll(/^/gm, '  ')}\n}`

/** Writes a comment for the line below. */
export const comment = (...lines: readonly string[]): string => {
  const escaped = lines.map((line) => line.replaceAll('*/', '*\\/'))
  if (escaped.join('') === '') return ''
  return escaped.length === 1
    ? `/** ${escaped[0]} */\n`
    : `/**\n${escaped.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

export const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const listOf = (item: string): string => (/^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`)

/** Returns the description of a schema, or else of the schema that it wraps. */
export function commentOf(schema: z.core.$ZodType): string | undefined {
  const { description, def } = schema as z.ZodType
  const inner = 'innerType' in def ? (def.innerType as z.core.$ZodType) : undefined
  return description ?? (inner === undefined ? undefined : commentOf(inner))
}
