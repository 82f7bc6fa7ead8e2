import type { Sandbox } from '../../../src/index.ts'
import { ask, type RawAnswer } from '../../http.ts'
import { phones, rcsText } from '../../magic.ts'

/** Sends one RCS text as any HTTP client does. */
export const send = (
  sandbox: Pick<Sandbox, 'url' | 'apiKey'>,
  headers: Record<string, string> = {},
): Promise<RawAnswer> => ask(sandbox, 'POST', '/v1/messages', { body: { ...rcsText, to: phones.readsAll }, headers })

/** The statuses of this number of sends, one after another. */
export async function statuses(sandbox: Pick<Sandbox, 'url' | 'apiKey'>, count: number): Promise<number[]> {
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await send(sandbox)).status)
  return seen
}

export const messageCount = async ({ client }: Sandbox): Promise<number> =>
  (await client.messages.list({ limit: 200 })).messages.length
