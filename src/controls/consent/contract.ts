import { ConsentRecord, recordParams } from '../../service/consent/contract.ts'
import { operation } from '../../words/operation.ts'

export const confirmConsent = operation({
  id: 'consent.confirm',
  summary: 'Confirm double opt-in as the contact',
  call: 'POST /_sandbox/contacts/{id}/consent/{record_id}/confirm',
  access: 'namespace',
  params: recordParams,
  output: ConsentRecord,
  problems: ['consent_not_pending', 'doi_expired'],
  choice: true,
})
