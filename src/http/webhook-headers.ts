import { VERSION } from '../words/version.ts'

/** What a webhook carries beside its body (interface §5 and choices, "More headers"); undefined is a signature that is missing. */
export const webhookHeaders = (eventId: string, signature: string | undefined, attempt: number) => ({
  'Content-Type': 'application/json',
  'User-Agent': `messaging-sandbox/${VERSION}`,
  ...(signature === undefined ? {} : { 'X-Service-Signature': signature }),
  'X-Service-Event-Id': eventId,
  'X-Service-Delivery-Attempt': String(attempt),
})
