import { type AnswerShape, answerShapes } from '../../src/client/answer-shapes.ts'
import { operations } from '../../src/registry/api.ts'

/** The smallest valid answer to a request, by the contract of its operation. */
export function leastAnswerTo(method: string, url: string): unknown {
  const [path = ''] = url.split('?')
  const operation = operations.find(
    (one) => one.method === method.toLowerCase() && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  const shape = operation && answerShapes[operation.id]
  return shape === undefined ? {} : leastOf(shape, true)
}

function leastOf(shape: AnswerShape, isTop = false): unknown {
  if (typeof shape === 'string') return { text: 'text', number: 0, boolean: true }[shape] ?? {}
  if (Array.isArray(shape)) return []
  const fields = Object.entries(shape as Readonly<Record<string, AnswerShape>>)
  const needed = fields.filter(([name]) => name.endsWith('!'))
  const made = needed.length === 0 && isTop ? fields.slice(0, 1) : needed
  return Object.fromEntries(made.map(([name, inner]) => [name.replace(/!$/, ''), leastOf(inner)]))
}
