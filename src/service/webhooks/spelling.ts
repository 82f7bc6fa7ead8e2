/**
 * The same JSON in an unusual form: fields in another order, optional white space (also around it), unnecessary escapes. A receiver that verifies the received bytes is unaffected; one that verifies re-serialised JSON fails.
 */
export const oddlySpelled = (json: string): string => `\n${written(JSON.parse(json))}\r\n`

function written(value: unknown): string {
  if (typeof value === 'string') return spelled(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[ ${value.map(written).join(' ,\n')} ]`
  const fields = Object.entries(value).map(([name, inner]) => `${spelled(name)} :\t${written(inner)}`)
  return `{\r\n  ${fields.reverse().join(' ,\n  ')}\n}`
}

/** Escapes the first character and all beyond ASCII. */
const spelled = (text: string) =>
  `"${escaped(text.charAt(0))}${JSON.stringify(text.slice(1))
    .slice(1, -1)
    .replaceAll('/', '\\/')
    .replace(/[^ -~]/g, escaped)}"`

const escaped = (unit: string) => unit && `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
