import type { FaultInput } from '../faults/contract.ts'

/** Returns whether a call was carried out while a fault kept its answer from arriving whole. */
export function isAnswerLost(
  { fault }: { fault: string | null },
  faults: ReadonlyMap<string, Pick<FaultInput, 'reset' | 'truncate'>>,
): boolean {
  const effect = fault === null ? undefined : faults.get(fault)
  return effect !== undefined && (effect.reset !== undefined || effect.truncate !== undefined)
}
