import type { MessageAnswer } from '../api/answers.ts'

/** The sender and the recipient of a message, in words for people. */
export function endsOf(
  { direction, agent_id, channel_id, to, content }: MessageAnswer,
  nameOf: (id: string | null) => string,
): { from: string; to: string } {
  if (direction === 'INBOUND') return { from: String(content.from ?? 'user'), to: nameOf(to) }
  return { from: nameOf(agent_id ?? channel_id), to }
}

/** The phone or mailbox of a message in either direction. */
export const addressOf = ({ direction, to, content }: MessageAnswer): string =>
  direction === 'INBOUND' ? String(content.from ?? to) : to
