import {
  type ConsentRow,
  confirmRecord,
  consentRecordByToken,
  requireConfirmable,
  requireRecord,
} from '../../service/consent/actions.ts'
import { toAnswer } from '../../service/consent/answer.ts'
import { requireContact } from '../../service/contacts/actions.ts'
import { secretOfToken } from '../../words/link.ts'
import { problem } from '../../words/problem.ts'
import type { Action, Caller } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import type { confirmConsent } from './contract.ts'
import type { confirmDoiLink, openDoiLink } from './link.contract.ts'
import { confirmationPage } from './page.ts'

export const confirm: Action<typeof confirmConsent> = (world, { params, caller }) => {
  const contact = requireContact(world, params.id)
  return toAnswer(confirmRecord(world, requireRecord(world, contact, params.record_id), contact, caller))
}

/**
 * Confirms at once for programs. A browser shows a form first, because any page can open a link as a picture or in a
 * frame.
 */
export const openLink: Action<typeof openDoiLink> = (world, { params, caller }) =>
  caller.isBrowser
    ? confirmationForm(world, params.token)
    : world.transaction(() => confirmByLink(world, params.token, caller))

export const confirmLink: Action<typeof confirmDoiLink> = (world, { params, caller }) =>
  confirmByLink(world, params.token, caller)

/** A second visit, by a person or an earlier scanner, still reports success. */
export function confirmByLink(world: World, token: string, caller: Caller) {
  const row = requireLinkedRecord(world, token)
  if (row.status === 'GRANTED') return confirmationPage(row, 'confirmed before')
  return confirmationPage(confirmRecord(world, row, requireContact(world, row.contact_id), caller), 'confirmed')
}

function confirmationForm(world: World, token: string) {
  const row = requireLinkedRecord(world, token)
  if (row.status === 'GRANTED') return confirmationPage(row, 'confirmed before')
  requireConfirmable(world, row)
  return confirmationPage(row, 'requested')
}

function requireLinkedRecord(world: World, linkToken: string): ConsentRow {
  const token = secretOfToken(linkToken)
  const row = token === undefined ? undefined : consentRecordByToken(world, token)
  if (row) return row
  throw problem('not_found', 'This confirmation link is not valid, or a newer one has replaced it.')
}
