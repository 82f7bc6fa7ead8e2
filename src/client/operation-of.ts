import { placeOf } from '../words/operation.ts'
import { operations } from './operations.ts'
import type { OperationInfo } from './prepared-call.ts'

const byPlace: Readonly<Record<string, Readonly<Record<string, OperationInfo>>>> = operations

/** The operation of a known id. */
export function operationOf(id: string): OperationInfo {
  const { noun, verb } = placeOf({ id })
  return byPlace[noun]![verb]!
}
