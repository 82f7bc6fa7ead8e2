import type { About } from '../words/about.ts'
import { type NounOf, type Operation, operationsIn, placeOf, type VerbOf } from '../words/operation.ts'
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

/** In the order of the registry and, within a contract, of declaration. */
export const operations: readonly Operation[] = contracts.flatMap((contract) => operationsIn(contract ?? {}))

export const api = byNounAndVerb(operations) as unknown as Api

/** The nouns in the order of the registry. */
export const nouns: readonly About[] = contracts.flatMap((contract) =>
  Object.values<unknown>(contract ?? {}).filter(isAbout),
)

function isAbout(value: unknown): value is About {
  return typeof value === 'object' && value !== null && 'name' in value && 'group' in value && 'summary' in value
}

function byNounAndVerb(all: readonly Operation[]): Record<string, Record<string, Operation>> {
  const places: Record<string, Record<string, Operation>> = {}
  for (const operation of all) {
    const { noun, verb } = placeOf(operation)
    places[noun] = { ...places[noun], [verb]: operation }
  }
  return places
}
