import type { Client } from '../../../src/index.ts'
import { rcsText } from '../../magic.ts'
import type { Sandbox } from '../../sandbox.ts'

export type NewRule = Parameters<Client['rules']['add']>[0]

export const failing = { outcome: 'failed', failure_reason: 'REJECTED_SPAM' } as const

type Send = Parameters<Client['messages']['send']>[0]

/** Sends messages one after the other, runs all due work, and returns them as they are in the log. */
export async function outcomes({ client, clock }: Pick<Sandbox, 'client' | 'clock'>, ...sends: Partial<Send>[]) {
  const ids: string[] = []
  for (const send of sends) {
    const body = 'channel_id' in send ? send : { ...rcsText, ...send }
    ids.push((await client.messages.send(body as Send)).message_id)
    // The delay in the queue is drawn, and rules are consulted when a message leaves it.
    await clock.advance('1s')
  }
  await clock.advance('1h')
  return Promise.all(ids.map((id) => client.messages.get(id)))
}

/** The refusal that a call ends with. */
export const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error) => error as { status: number; code: string; message: string; details: { field: string; code: string }[] },
  )
