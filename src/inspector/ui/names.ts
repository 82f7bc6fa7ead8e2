import type { Answer } from '../api/client.ts'
import { namespace } from '../api/namespace.ts'
import { useCall } from '../api/read.ts'
import { shortId } from './text.ts'

/** Stands for a name that is still being read: an id in its place would be read first, and then replaced. */
export const UNREAD = '…'

/** The worlds as they were read last, by namespace, so that what opens later has its names at once. */
const lastRead = new Map<string, Answer<'world', 'show'>>()

/** Returns the names of agents, channels and campaigns by id; a short id for those without a name. */
export function useNames(): (id: string | null | undefined) => string {
  const { value, error } = useCall(['world', 'show'], { when: ({ event }) => event.startsWith('agent.') })
  if (value) lastRead.set(namespace.value, value)
  const world = value ?? lastRead.get(namespace.value)
  const names = new Map<unknown, string>()
  for (const { agent_id, display_name } of world?.agents ?? [])
    if (display_name) names.set(agent_id, String(display_name))
  for (const { channel_id, name } of world?.channels ?? []) if (name) names.set(channel_id, String(name))
  for (const { campaign_id, name } of world?.campaigns ?? []) if (name) names.set(campaign_id, String(name))
  const unnamed = world || error ? shortId : () => UNREAD
  return (id) => (id ? (names.get(id) ?? unnamed(id)) : '–')
}
