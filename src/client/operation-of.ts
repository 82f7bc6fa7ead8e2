import { patternOf, placeOf } from '../words/operation.ts'
import { operations } from './operations.ts'
import type { OperationInfo } from './prepared-call.ts'

const byPlace: Readonly<Record<string, Readonly<Record<string, OperationInfo>>>> = operations

export const allOperations = (): OperationInfo[] => Object.values(byPlace).flatMap((verbs) => Object.values(verbs))

/** The operation behind a method and a path without a query; undefined for an unknown route. */
export const operationAt = (method: string, path: string): OperationInfo | undefined =>
  allOperations().find((one) => one.method === method.toLowerCase() && patternOf(one.path).test(path))

/** The operation of a known id. */
export function operationOf(id: string): OperationInfo {
  const { noun, verb } = placeOf({ id })
  return byPlace[noun]![verb]!
}
