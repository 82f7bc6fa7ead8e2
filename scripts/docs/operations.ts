import { operationsOf, type Part } from '../../src/openapi/document.ts'
import { type Operation, ownProblemsOf, requestLineOf, successStatuses } from '../../src/words/operation.ts'
import { code, table } from './table.ts'

/** Lists the operations of a part in a table for each noun. */
export function operationTables(part: Part): string {
  const byNoun = Map.groupBy(operationsOf(part), ({ noun }) => noun)
  return [...byNoun]
    .map(
      ([noun, entries]) =>
        `### ${noun}\n\n${table(
          HEAD,
          entries.map(({ operation }) => rowOf(operation)),
        )}`,
    )
    .join('\n\n')
}

const HEAD = ['Call', 'What it does', 'Id', 'Success', 'Refusals of its own', 'Source']

const rowOf = (operation: Operation): string[] => [
  code(requestLineOf(operation)),
  operation.summary + (operation.idempotency ? ' (takes an idempotency key)' : ''),
  code(operation.id),
  successStatuses(operation).join(', '),
  ownProblemsOf(operation).map(code).join(', ') || '–',
  sourceOf(operation),
]

const sourceOf = ({ section, choice }: Operation) =>
  section === undefined ? 'sandbox' : `§${section}${choice ? ', [chosen](choices.md)' : ''}`
