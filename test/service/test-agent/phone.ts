import type { Client } from '../../../src/index.ts'

/** The newest code on a phone. */
export async function codeOn(client: Client, phone: string): Promise<string> {
  const { messages } = await client.inbox.show(phone)
  return /\d{6}/.exec(messages[0]!.text)![0]
}

/** Registers a phone and proves it with the code from its inbox. */
export async function verified(client: Client, phone: string) {
  await client.testAgent.register({ phone })
  return client.testAgent.verify({ phone, code: await codeOn(client, phone) })
}

/** Another code than this one. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
