import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/**
 * A sandbox proves that it keeps its data in a folder: it knows the secret that the folder's owner.json holds, which only
 * their user can read. The secret itself is never sent.
 */
export const CHALLENGE_HEADER = 'x-sandbox-challenge'
export const PROOF_HEADER = 'x-sandbox-proof'

/** A secret random value, so that a proof cannot be prepared. */
export const newChallenge = (): string => randomUUID()

export const isChallenge = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{16,64}$/.test(text)

export const proofOf = (secret: string, challenge: string): string =>
  createHmac('sha256', secret).update(`messaging-sandbox folder ${challenge}`).digest('base64url')

export function isProof(secret: string, challenge: string, proof: string | undefined): boolean {
  const expected = Buffer.from(proofOf(secret, challenge))
  const received = Buffer.from(proof ?? '')
  return received.length === expected.length && timingSafeEqual(received, expected)
}
