import type { ChannelType } from '../../words/vocabulary.ts'

/** The address a contact has on a channel. One that came through the API counts as verified (choices, "Contacts"). */
export const addressOn = (contact: { email: string | null; phone: string | null }, channel: ChannelType) =>
  channel === 'EMAIL' ? contact.email : contact.phone

/** An update without proof_text keeps the proof, but none from before a withdrawal: that consent is over. */
export const proofAfter = (
  before: { status: string; proof_text: string | null } | undefined,
  given: string | undefined,
): string | null => given ?? (before?.status === 'REVOKED' ? null : (before?.proof_text ?? null))
