import { allItems } from '../../client/pages.ts'
import type { EndpointAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { QUIET_MS, type Read, useRead } from '../api/read.ts'
import { UNREAD } from '../ui/names.ts'

/** All endpoints, newest first, because no operation reads a single one. */
const allEndpoints = (): Promise<EndpointAnswer[]> =>
  allItems(
    (query) => call('webhooks', 'list', query),
    ({ data }) => data,
  )

export const useEndpoints = (): Read<EndpointAnswer[]> =>
  useRead('endpoints', allEndpoints, { when: () => false, everyMs: QUIET_MS })

/** The URL of an endpoint; its id once it was removed. */
export function urlAmong({ value, error }: Read<readonly EndpointAnswer[]>, id: string): string {
  if (!value && !error) return UNREAD
  return value?.find((one) => one.id === id)?.url ?? id
}
