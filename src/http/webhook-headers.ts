import { VERSION } from '../words/version.ts'

/** The headers of a webhook (interface §5, and the number of the attempt); an undefined signature is left out. */
export const webhookHeaders = (eventId: string, signature: string | undefined, attempt: number) => ({
  'Content-Type': 'application/json',
  'User-Agent': `messaging-sandbox/${VERSION}`,
  ...(signature === undefined ? {} : { 'X-Service-Signature': signature }),
  'X-Service-Event-Id': eventId,
  'X-Service-Delivery-Attempt': String(attempt),
})
