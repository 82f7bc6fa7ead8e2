import { isRecord } from '../../words/json.ts'

/** JSON as people write it: an object or list stays on one line where it fits. */
export function jsonLines(value: unknown, width: number, indent = '', before = 0): string {
  const oneLine = inOneLine(value)
  // A comma may follow.
  if (indent.length + before + oneLine.length < width || typeof value !== 'object' || value === null) return oneLine
  const only = Array.isArray(value) ? value : Object.entries(value)
  if (only.length === 1) return aroundOne(value, width, indent, before)
  const deeper = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => jsonLines(item, width, deeper))
    : Object.entries(value).map(([key, item]) => {
        const name = `${JSON.stringify(key)}: `
        return `${name}${jsonLines(item, width, deeper, name.length)}`
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = packed(parts, width - deeper.length)
  return `${open}\n${lines.map((line) => deeper + line).join(',\n')}\n${indent}${close}`
}

/** Short parts that follow each other share a line. */
function packed(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const line = [...lines.slice(-1), part].join(', ')
    if (lines.length > 0 && line.length < width && !line.includes('\n')) lines[lines.length - 1] = line
    else lines.push(part)
  }
  return lines
}

/** What is inside the only field or item begins on the same line. */
function aroundOne(value: object, width: number, indent: string, before: number): string {
  if (Array.isArray(value)) return `[${jsonLines(value[0], width, indent, before + 1)}]`
  const [[name, item]] = Object.entries(value) as [[string, unknown]]
  const head = `{${JSON.stringify(name)}: `
  return `${head}${jsonLines(item, width, indent, before + head.length)}}`
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${inOneLine(item)}`)
  return fields.length === 0 ? '{}' : `{${fields.join(', ')}}`
}
