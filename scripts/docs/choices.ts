import { documentOf, operationsOf } from '../../src/openapi/document.ts'
import { type CatalogueEntry, catalogue, eventNames } from '../../src/service/events/catalogue.ts'
import { requestLineOf } from '../../src/words/operation.ts'
import { code, table } from './table.ts'

export function chosenOperations(): string {
  const rows = operationsOf('service')
    .filter(({ operation }) => operation.choice)
    .map(({ operation }) => [code(requestLineOf(operation)), operation.summary, `§${operation.section}`])
  return table(['Call', 'What it does', 'Named in'], rows)
}

/** Lists the fields that the document marks as chosen, by schema or call. */
export function chosenFields(): string {
  const { components, paths } = documentOf('service', '') as { components: { schemas: object }; paths: object }
  const marked = [...markedIn(components.schemas, []), ...markedIn(paths, [])]
  const byOwner = Map.groupBy(marked, ({ owner }) => owner)
  const rows = [...byOwner].map(([owner, fields]) => [owner, [...new Set(fields.map(({ name }) => name))].join(', ')])
  return table(['In', 'Fields'], rows)
}

interface Marked {
  owner: string
  name: string
}

function markedIn(value: unknown, path: readonly string[]): Marked[] {
  if (typeof value !== 'object' || value === null) return []
  const here = value as Record<string, unknown>
  // Error codes have a page of their own.
  const inner = Object.entries(here).flatMap(([key, child]) =>
    key === 'examples' ? [] : markedIn(child, [...path, key]),
  )
  if (here['x-sandbox-choice'] !== true || 'operationId' in here) return inner
  return [{ owner: ownerOf(path), name: nameOf(path, here) }, ...inner]
}

function nameOf(path: readonly string[], { in: place, name }: Record<string, unknown>): string {
  if (path.length === 1) return 'its values'
  if (path.at(-2) === 'responses') return `status ${path.at(-1)}`
  return code(String(place === undefined ? path.at(-1) : name))
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const ownerOf = ([first, second]: readonly string[]) =>
  METHODS.includes(second ?? '') ? code(`${second!.toUpperCase()} ${first}`) : `${first}`

export function chosenEvents(): string {
  const rows = eventNames
    .map((name) => [name, catalogue[name] as CatalogueEntry] as const)
    .filter(([, { choice }]) => choice)
    .map(([name, { summary }]) => [code(name), summary])
  return table(['Event', 'When'], rows)
}
