import { z } from 'zod'

/** Interface §2.7. */
export const UseCase = z.enum(['OTP', 'TRANSACTIONAL', 'PROMOTIONAL', 'MULTI_USE'])
export type UseCase = z.infer<typeof UseCase>

export const BillingCategory = z.enum(['CONVERSATIONAL', 'NON_CONVERSATIONAL'])
export type BillingCategory = z.infer<typeof BillingCategory>

export const AgentStatus = z.enum(['DRAFT', 'PENDING_REVIEW', 'APPROVED', 'REJECTED', 'SUSPENDED'])
export type AgentStatus = z.infer<typeof AgentStatus>

export const LaunchStatus = z.enum(['UNLAUNCHED', 'PENDING', 'LAUNCHED', 'REJECTED', 'SUSPENDED'])
export type LaunchStatus = z.infer<typeof LaunchStatus>
