import type { Answer } from './client.ts'

/** Answer types by the names that pages use. */
export type Message = Answer<'messages', 'get'>
export type Explanation = Answer<'messages', 'explain'>
export type Endpoint = Answer<'webhooks', 'list'>['data'][number]
export type Agent = Answer<'agents', 'get'>
export type Transaction = Answer<'billing', 'transactions'>['data'][number]
