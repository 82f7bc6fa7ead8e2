import { isRecord } from '../../words/json.ts'

/** JSON as people write it: an object or list stays on one line where it fits. */
export function jsonLines(value: unknown, width: number, indent = '', before = 0): string {
  const oneLine = inOneLine(value)
  // A comma may follow.
  if (indent.length + before + oneLine.length < width || typeof value !== 'object' || value === null) return oneLine
  const deeper = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => jsonLines(item, width, deeper))
    : Object.entries(value).map(([key, item]) => {
        const name = `${JSON.stringify(key)}: `
        return `${name}${jsonLines(item, width, deeper, name.length)}`
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${inOneLine(item)}`)
  return fields.length === 0 ? '{}' : `{${fields.join(', ')}}`
}
