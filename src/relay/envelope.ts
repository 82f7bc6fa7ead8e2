/** The event envelope (interface §6). */
export interface Envelope {
  id: string
  event: string
  timestamp: string
  data: Record<string, unknown>
}

const SUBJECTS = ['message_id', 'contact_id', 'run_id', 'campaign_id', 'agent_id', 'channel_id']

/** The record that an event concerns; events of one record keep their order. */
export function subjectOf({ id, data }: Envelope): string {
  const name = SUBJECTS.find((field) => typeof data[field] === 'string')
  return name ? String(data[name]) : id
}
