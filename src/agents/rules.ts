import type { MessageType, TrafficType } from '../words/vocabulary.ts'
import type { UseCase } from './contract.ts'

/** Interface §2.7, "Allowed message types per use_case". */
export const messageTypesOf: Readonly<Record<UseCase, readonly MessageType[]>> = {
  OTP: ['MESSAGE'],
  TRANSACTIONAL: ['MESSAGE', 'CONVERSATION'],
  PROMOTIONAL: ['MESSAGE', 'NEWSLETTER'],
  MULTI_USE: ['MESSAGE', 'CONVERSATION', 'NEWSLETTER'],
}

/** Interface §2.7, "Permitted traffic_type per use_case"; another one is rejected at the carrier. */
export const trafficTypesOf: Readonly<Record<UseCase, readonly TrafficType[]>> = {
  OTP: ['AUTHENTICATION'],
  TRANSACTIONAL: ['TRANSACTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'],
  PROMOTIONAL: ['PROMOTION'],
  MULTI_USE: ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'],
}
