import type { Environment } from '../../src/handlers/explore/application.ts'

interface Text {
  agent_id: string
  to: string | undefined
  text?: string
  message_type?: string
}

/** Sends a text to a person, by a request that an application makes itself. */
export const sendText = (
  { baseUrl, apiKey }: Environment,
  key: string,
  { text = 'Thank you', message_type = 'MESSAGE', ...to }: Text,
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ ...to, message_type, traffic_type: 'TRANSACTION', content: { text } }),
    ...(signal && { signal }),
  })
