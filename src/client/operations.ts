import { type Api, api } from '../registry/api.ts'
import type { OperationInfo } from './call.ts'

/**
 * Every operation by noun and verb, as far as a caller needs it: where it goes, not what it may say. The build keeps these
 * as plain values (scripts/build/baked.ts), so that a command which only calls reads in no schema.
 */
export const operations: { [Noun in keyof Api]: { [Verb in keyof Api[Noun]]: OperationInfo } } = api
