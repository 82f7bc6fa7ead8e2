import { z } from 'zod'

/** The closed vocabularies that more than one noun speaks (interface §2). */

export const ChannelType = z.enum(['EMAIL', 'RCS', 'SMS']).meta({ id: 'ChannelType' })
export type ChannelType = z.infer<typeof ChannelType>

/** Message types that a consent record can be about. */
export const ConsentType = z.enum(['MESSAGE', 'NEWSLETTER']).meta({ id: 'ConsentType' })
export type ConsentType = z.infer<typeof ConsentType>

export const MessageType = z.enum(['MESSAGE', 'CONVERSATION', 'NEWSLETTER']).meta({ id: 'MessageType' })
export type MessageType = z.infer<typeof MessageType>

export const TrafficType = z
  .enum(['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'])
  .meta({ id: 'TrafficType' })
export type TrafficType = z.infer<typeof TrafficType>

/** How a world's time passes: with the machine's, or only when told. */
export const ClockMode = z.enum(['real', 'frozen'])
export type ClockMode = z.infer<typeof ClockMode>

/** Why a message failed (interface §6). */
export const FailureReason = z
  .enum(['UNKNOWN_RCS_USER', 'CARRIER_NOT_LAUNCHED', 'MESSAGE_EXPIRED', 'REJECTED_SPAM', 'ACCOUNT_SUSPENDED'])
  .meta({ id: 'FailureReason' })
export type FailureReason = z.infer<typeof FailureReason>
