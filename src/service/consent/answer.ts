import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { ConsentRow } from './store.ts'

/** The fields of each route (§2.2). */

const common = (row: ConsentRow) => ({
  id: row.id,
  channel_type: row.channel_type,
  message_type: row.message_type,
  status: row.status,
  enforced_doi: row.enforced_doi === 1,
  doi_status: row.doi_status,
  doi_channel: row.doi_channel,
  revoked_at: isoTimeOrNull(row.revoked_at),
})

const whole = (row: ConsentRow) => ({
  ...common(row),
  source: row.source,
  granted_at: isoTimeOrNull(row.granted_at),
  created_at: isoTime(row.created_at),
})

export const toListItem = (row: ConsentRow) => ({ ...whole(row), proof_text: row.proof_text })

export const toAnswer = (row: ConsentRow) => ({ ...whole(row), contact_id: row.contact_id })

export const toRevokedAnswer = (row: ConsentRow) => ({ ...common(row), contact_id: row.contact_id })
