import { stepsOf, valueAt } from '../words/path.ts'
import { shortened } from '../words/shortened.ts'
import { suggest } from '../words/suggest.ts'
import { mapTexts, textsIn } from '../words/texts.ts'

/**
 * References to variables. A text that is only `$name` or `$answer.billing.hold_amount` becomes the value itself;
 * inside other text the form is `${name}`. `$$` is a plain `$`.
 */

export type Variables = Readonly<Record<string, unknown>>

const REFERENCE = /\$(\$)?\{([^}]*)\}/g
const WHOLE = /^\$(?:\{([^}]*)\}|([a-zA-Z_][\w.[\]]*))$/
const ESCAPED = /^\$\$+[a-zA-Z_][\w.[\]]*$/

export class UnresolvedReference extends Error {}

/** Variables are repeated into each other, so without a limit a few steps could fill the memory. */
const MAX_VALUE_SIZE = 1024 * 1024

class TooLarge extends UnresolvedReference {}

/** Refuses a value of more than a million characters and fields. Counting stops at the limit. */
export function refuseTooLarge(name: string, value: unknown) {
  let left = MAX_VALUE_SIZE
  const pending = [value]
  while (pending.length > 0) {
    const one = pending.pop()
    left -= typeof one === 'string' ? one.length + 1 : 1
    if (left < 0) throw new TooLarge(`${name} would be larger than ${MAX_VALUE_SIZE / 1024 / 1024} MiB`)
    if (one !== null && typeof one === 'object')
      for (const inner of Object.values(one).slice(0, left + 1)) pending.push(inner)
  }
}

/** Resolves all references in a value. */
export const fill = (value: unknown, variables: Variables): unknown =>
  mapTexts(value, (text) => fillText(text, variables))

function fillText(text: string, variables: Variables): unknown {
  const whole = wholeIn(text)
  if (whole !== undefined) return lookUp(whole, variables)
  if (ESCAPED.test(text)) return text.slice(1)
  let length = text.length
  return text.replace(REFERENCE, (all, escaped: string | undefined, reference: string) => {
    if (escaped) return all.slice(1)
    const filled = written(lookUp(reference.trim(), variables))
    length += filled.length
    if (length > MAX_VALUE_SIZE) throw new TooLarge(`the text would be larger than ${MAX_VALUE_SIZE / 1024 / 1024} MiB`)
    return filled
  })
}

/** The text that {@link fill} turns into this one. */
export const escaped = (text: string): string =>
  ESCAPED.test(`$${text}`) ? `$${text}` : text.replace(/\$\{[^}]*\}/g, (reference) => `$${reference}`)

function wholeIn(text: string): string | undefined {
  const [, braced, bare] = WHOLE.exec(text) ?? []
  return braced?.trim() ?? bare
}

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function lookUp(reference: string, variables: Variables): unknown {
  const [root = ''] = stepsOf(reference)
  if (!Object.hasOwn(variables, root)) throw new UnresolvedReference(unknownVariable(root, Object.keys(variables)))
  const value = valueAt(variables, reference)
  if (value === undefined)
    throw new UnresolvedReference(`\${${reference}} has no value: ${root} is ${short(variables[root])}`)
  return value
}

export const unknownVariable = (name: string, defined: readonly string[]): string =>
  name === ''
    ? `\${} names no variable: write \${name}`
    : `unknown variable ${name}${suggest(name, defined) || `; variables: ${defined.join(', ') || 'none'}`}`

export const short = (value: unknown): string => shortened(JSON.stringify(value) ?? 'nothing', 200)

/** The references in a value, each with its path. */
export const referencesIn = (value: unknown, within: string): { name: string; path: string }[] =>
  [...textsIn(value, within)].flatMap(({ text, path }) => namesIn(text).map((name) => ({ name, path })))

function namesIn(text: string): string[] {
  const soleReference = wholeIn(text)
  const references =
    soleReference === undefined
      ? [...text.matchAll(REFERENCE)].filter(([, escaped]) => !escaped).map(([, , reference = '']) => reference.trim())
      : [soleReference]
  return references.map((reference) => stepsOf(reference)[0] ?? '')
}
