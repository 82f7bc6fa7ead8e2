import { type Api, api } from '../registry/api.ts'
import type { OperationInfo } from './prepared-call.ts'

/**
 * All operations by noun and verb, without their schemas. The build replaces them by plain values
 * (scripts/build/baked.ts), so that a command that only calls loads no schema.
 */
export const operations: { [Noun in keyof Api]: { [Verb in keyof Api[Noun]]: OperationInfo } } = api
