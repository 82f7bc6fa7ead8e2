import { operationsOf } from '../../src/openapi/document.ts'
import { problemsOf } from '../../src/words/operation.ts'
import { type ProblemCode, problems } from '../../src/words/problem.ts'
import { code, table } from './table.ts'

export const problemCodes = Object.keys(problems) as ProblemCode[]

/** Lists the codes with status, meaning, remedy and the calls that answer them. */
export function errorTable(): string {
  const rows = problemCodes
    .toSorted((a, b) => problems[a].status - problems[b].status)
    .map((name) => [
      code(name),
      String(problems[name].status),
      problems[name].meaning,
      problems[name].remedy,
      fromWhere(name),
    ])
  return table(['Code', 'Status', 'Meaning', 'What to do', 'Answered by'], rows)
}

const SERVICE = problemsOf({ path: '/v1/', problems: [], access: 'key' })
const CONTROL = problemsOf({ path: '/_sandbox/', problems: [], access: 'namespace' })

/** Codes for an unknown path or method, which no operation can document. */
const UNROUTED: readonly ProblemCode[] = ['method_not_allowed']

function fromWhere(name: ProblemCode): string {
  if (SERVICE.has(name) && CONTROL.has(name)) return 'any call'
  if (SERVICE.has(name)) return 'any call under `/v1`'
  if (CONTROL.has(name)) return 'any call of the control plane'
  if (UNROUTED.includes(name)) return 'paths without such a method'
  const operations = [...operationsOf('service'), ...operationsOf('control')]
    .map(({ operation }) => operation)
    .filter((operation) => problemsOf(operation).has(name))
  if (operations.length > MOST_LISTED) return `${operations.length} calls; [api.md](api.md) marks them`
  return operations.map(({ id }) => code(id)).join(', ')
}

/** A longer list answers no question: the page of calls lists the refusals of each. */
const MOST_LISTED = 20
