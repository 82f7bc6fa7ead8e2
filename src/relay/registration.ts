import { hostname } from 'node:os'
import type { AnswerTo } from '../client/answers.ts'
import { type ClientOptions, call, type OperationInfo, Refusal, resultOf } from '../client/call.ts'
import { operations } from '../client/operations.ts'
import { allItems } from '../client/pages.ts'
import { isAlive } from '../http/is-alive.ts'
import { currentHolder } from './cursor.ts'

type Endpoint = AnswerTo<'webhooks.list'>['data'][number]

/** The start of the description, which marks endpoints of this command. */
const MARK = 'sandbox listen: '

const TIMEOUT_MS = 10_000

async function ask(client: ClientOptions, operation: OperationInfo, params: Record<string, string>, payload: unknown) {
  return resultOf(await call(client, operation, params, payload, { timeoutMs: TIMEOUT_MS }))
}

/** Registers an endpoint for this process. The service chooses the secret unless one is given. */
export async function register(
  client: ClientOptions,
  { url, events, secret }: { url: string; events: readonly string[]; secret: string | undefined },
): Promise<AnswerTo<'webhooks.create'>> {
  const body = { url, events, description: MARK + currentHolder(), ...(secret === undefined ? {} : { secret }) }
  const made = (await ask(client, operations.webhooks.create, {}, body)) as AnswerTo<'webhooks.create'>
  return { ...made, secret: made.secret ?? secret }
}

/** Removes an endpoint; a missing one is fine. */
export async function unregister(client: ClientOptions, id: string): Promise<void> {
  try {
    await ask(client, operations.webhooks.delete, { id }, undefined)
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error
  }
}

/** Endpoints of killed listeners: of this machine, or at the address about to be used. */
export async function staleEndpoints(client: ClientOptions, url: string | undefined): Promise<Endpoint[]> {
  const read = ({ cursor }: { cursor: string | undefined }) =>
    ask(client, operations.webhooks.list, {}, { cursor }) as Promise<AnswerTo<'webhooks.list'>>
  const endpoints = await allItems(read, (page) => page.data)
  return endpoints.filter(({ description, ...endpoint }) => {
    if (!description?.startsWith(MARK)) return false
    const [, pid, host] = /process (\d+) on (\S+) /.exec(description) ?? []
    return host === hostname() ? !isAlive(Number(pid)) : endpoint.url === url
  })
}
