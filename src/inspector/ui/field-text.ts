import type { FormField } from '../api/schema.ts'

/** Values of fields as text, and back. What is typed is what is sent: no text turns into a number or a list by itself. */

type Shape = Pick<FormField, 'name' | 'kind' | 'choices' | 'example'>

export const isCollection = ({ kind }: Pick<FormField, 'kind'>) => kind === 'list' || kind === 'pairs'

export function textOf(value: unknown, { kind }: Pick<FormField, 'kind'>): string {
  if (value === null || value === undefined) return ''
  if (kind === 'list' && Array.isArray(value)) return value.map((one) => itemOf(String(one))).join(', ')
  if (kind === 'pairs')
    return Object.entries(value)
      .map(([name, number]) => `${name}=${number}`)
      .join(', ')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** The text in an empty field. */
export function hintOf(field: Shape): string {
  if (field.kind === 'list') return 'separated by commas'
  if (field.kind === 'pairs') return `for example ${field.choices[0] ?? 'NAME'}=0.1`
  if (field.kind === 'json') return field.example === undefined ? '{ }' : JSON.stringify(field.example)
  return field.example === undefined ? '' : `for example ${textOf(field.example, field)}`
}

/** The value of a text. Throws if the text has none. */
export function parsed(field: Shape, text: string): unknown {
  switch (field.kind) {
    case 'number':
      return numberOr(text)
    case 'boolean':
      return text === 'true'
    case 'list':
      return itemsOf(text)
    case 'pairs':
      return Object.fromEntries(
        text
          .split(',')
          .filter((pair) => pair.trim() !== '')
          .map((pair) => {
            const [name = '', ...rest] = pair.split('=')
            return [name.trim(), numberOr(rest.join('=').trim())]
          }),
      )
    case 'json':
      return jsonOf(text)
    default:
      return text
  }
}

/** Spaces belong to the texts of a body only: an id in a path is often pasted with one. */
export const typedText = ({ kind, place }: Pick<FormField, 'kind' | 'place'>, text: string): string =>
  kind === 'text' && place === 'body' ? text : text.trim()

// Text that is not a number, or one that would change, is sent unchanged, so that the service explains the error.
function numberOr(text: string): string | number {
  const number = Number(text)
  const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number)
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) && isExact ? number : text
}

/** An item that contains a comma is in quotes, like a string in JSON. */
const ITEM = /\s*("(?:[^"\\]|\\.)*"(?=\s*(?:,|$))|[^,]+)\s*/g

const isQuoted = (item: string) => item.length > 1 && item.startsWith('"') && item.endsWith('"')

const itemOf = (item: string) =>
  item.includes(',') || isQuoted(item) || item !== item.trim() ? JSON.stringify(item) : item

const itemsOf = (text: string): string[] =>
  [...text.matchAll(ITEM)]
    .map(([, item]) => item!.trim())
    .filter((item) => item !== '')
    .map((item) => (isQuoted(item) ? unquoted(item) : item))

function unquoted(item: string): string {
  try {
    return JSON.parse(item) as string
  } catch {
    throw new Error(`has an item in quotes that is not a string in JSON: ${item}`)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The browser names the place of the mistake.
    throw new Error(`must be JSON. ${(error as Error).message}`)
  }
}
