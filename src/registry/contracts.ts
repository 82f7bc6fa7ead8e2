import { registry } from './registry.ts'

/** The contracts in the order of the registry. The build writes them as imports (scripts/build/registered.ts). */
export const contracts = await Promise.all(loadersOf(registry).map((load) => load?.()))

/** Typed explicitly, so that types of the client mention contracts only. */
function loadersOf<const L extends readonly object[]>(
  folders: L,
): { readonly [I in keyof L]: L[I] extends { contract: () => Promise<infer C> } ? () => Promise<C> : undefined } {
  return folders.map((folder) => ('contract' in folder ? folder.contract : undefined)) as never
}
