import type { Answer } from './client.ts'

/** Answer types by the names that pages use. */
export type MessageAnswer = Answer<'messages', 'get'>
export type ExplanationAnswer = Answer<'messages', 'explain'>
export type EndpointAnswer = Answer<'webhooks', 'list'>['data'][number]
export type AgentAnswer = Answer<'agents', 'get'>
export type DeliveryAnswer = Answer<'events', 'deliveries'>['data'][number]
export type MovementAnswer = Answer<'billing', 'transactions'>['data'][number]
