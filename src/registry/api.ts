import type { About } from '../words/about.ts'
import { inStatedOrder, type NounOf, type Operation, placeOf, type VerbOf } from '../words/operation.ts'
import { contracts } from './contracts.ts'

type Contract = Exclude<(typeof contracts)[number], undefined>
type ExportOf<C> = C extends unknown ? C[keyof C] : never
type KnownOperation = Extract<ExportOf<Contract>, Operation>

/** The type of all operations by noun and verb, for client, command line and documents. */
export type Api = {
  readonly [Noun in NounOf<KnownOperation['id']>]: {
    readonly [O in KnownOperation as O['id'] extends `${Noun}.${string}` ? VerbOf<O['id']> : never]: O
  }
}

const contractExports = contracts.map((contract): readonly unknown[] => Object.values(contract ?? {}))

/** In the order of the registry and, within a contract, of declaration. */
export const operations: readonly Operation[] = contractExports.flatMap((all) =>
  all.filter(isOperation).sort(inStatedOrder),
)

export const api = byNounAndVerb(operations) as unknown as Api

/** The nouns in the order of the registry. */
export const nouns: readonly About[] = contractExports.flatMap((all) => all.filter(isAbout))

function isOperation(value: unknown): value is Operation {
  return has(value, 'id') && has(value, 'method') && has(value, 'path')
}

function isAbout(value: unknown): value is About {
  return has(value, 'name') && has(value, 'group') && has(value, 'summary')
}

function has(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && field in value
}

function byNounAndVerb(all: readonly Operation[]): Record<string, Record<string, Operation>> {
  const places: Record<string, Record<string, Operation>> = {}
  for (const operation of all) {
    const { noun, verb } = placeOf(operation)
    places[noun] = { ...places[noun], [verb]: operation }
  }
  return places
}
