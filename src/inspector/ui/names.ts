import { useCall } from '../api/read.ts'
import { shortId } from './text.ts'

/** Returns the names of agents, channels and campaigns by id; a short id for those without a name. */
export function useNames(): (id: string | null | undefined) => string {
  const { value } = useCall(['world', 'show'], { when: ({ event }) => event.startsWith('agent.') })
  const names = new Map<unknown, string>()
  for (const { agent_id, display_name } of value?.agents ?? [])
    if (display_name) names.set(agent_id, String(display_name))
  for (const { channel_id, name } of value?.channels ?? []) if (name) names.set(channel_id, String(name))
  for (const { campaign_id, name } of value?.campaigns ?? []) if (name) names.set(campaign_id, String(name))
  return (id) => (id ? (names.get(id) ?? shortId(id)) : '–')
}
