import { registry } from './registry.ts'

/** The contract of each folder, in the order of the registry. The build writes them as imports (scripts/build/registered.ts). */
export const contracts = await Promise.all(loadersOf(registry).map((load) => load?.()))

/** Written out, so that the types of the client name the contracts and nothing of what stands behind them. */
function loadersOf<const L extends readonly object[]>(
  folders: L,
): { readonly [I in keyof L]: L[I] extends { contract: () => Promise<infer C> } ? () => Promise<C> : undefined } {
  return folders.map((folder) => ('contract' in folder ? folder.contract : undefined)) as never
}
