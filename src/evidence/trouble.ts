import type { Client } from '../client/client.ts'
import { startOf } from './started-at.ts'

/**
 * Failures in the world of a client since the start of its test: refused calls, failed webhooks, calls without a valid
 * key. Empty if the world cannot be asked, because a failure must not fail for another reason.
 */
export async function troubleOf(client: Client, lease?: string): Promise<string[]> {
  try {
    return (await client.evidence.show({ lease, started_at: startOf(client) })).lines
  } catch {
    return []
  }
}
