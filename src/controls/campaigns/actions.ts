import { type CampaignRow, otherTrigger, requireCampaign, startRun } from '../../service/campaigns/actions.ts'
import * as definitions from '../../service/campaigns/check.ts'
import { checkDate } from '../../service/campaigns/check.ts'
import type { Hindrance } from '../../service/campaigns/rules.ts'
import { bringContact, definitionOf, executionsOf, reasonsOf, runOf, sentBy } from '../../service/campaigns/run.ts'
import { contactByRef } from '../../service/contacts/actions.ts'
import { MAX_TAGS } from '../../service/contacts/contract.ts'
import { unknownReference } from '../../words/broken-fields.ts'
import { offsetWindow } from '../../words/page.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import type { Action } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import type { defineCampaign, listCampaignContacts, raiseCampaignEvent, runCampaign, showCampaign } from './contract.ts'

/** Stands for the dashboard: definitions, and triggers that the API does not have. */

const toAnswer = (world: World, campaign: CampaignRow) => ({
  ...definitionOf(world, campaign),
  status: campaign.status,
})

export const define: Action<typeof defineCampaign> = (world, { body }) => {
  checkDate(world, body)
  const { isNew, campaign } = definitions.define(world, body)
  return new Reply(toAnswer(world, campaign), { status: isNew ? 201 : 200 })
}

export const show: Action<typeof showCampaign> = (world, { params }) =>
  toAnswer(world, requireCampaign(world, params.id))

export const contacts: Action<typeof listCampaignContacts> = (world, { params, query }) => {
  const campaign = requireCampaign(world, params.id)
  return {
    contacts: executionsOf(world, campaign, offsetWindow(query)).map(
      ({ contact_id, status, reason, node, path, sends }) => {
        // A contact may be deleted during a run.
        const { phone = null, email = null, external_id = null, tags = '[]' } = contactByRef(world, contact_id) ?? {}
        const contact = { contact_id, phone, email, external_id, tags: JSON.parse(tags) }
        return { ...contact, status, reason, next_node: node, path, sends }
      },
    ),
    total: runOf(world, campaign)?.total ?? 0,
    sent: sentBy(world, campaign),
    reasons: reasonsOf(world, campaign).map((one) => ({ ...one, says: meaningOf(one.reason) })),
  }
}

/** The reasons that are no refusal of a send. */
type OwnReason = Exclude<Hindrance, ProblemCode>

const OWN_MEANINGS: Readonly<Record<OwnReason, string>> = {
  no_address: 'The contact has no address on the channel of the SEND node.',
  contact_deleted: 'The contact was deleted during the run.',
  too_many_tags: `The contact would have more than ${MAX_TAGS} tags.`,
  message_lost: 'The last message to the contact was not delivered.',
}

const meaningOf = (reason: Hindrance) =>
  reason in problems ? problems[reason as ProblemCode].meaning : OWN_MEANINGS[reason as OwnReason]

export const run: Action<typeof runCampaign> = (world, { params }) => {
  const campaign = requireCampaign(world, params.id)
  if (campaign.trigger !== 'MANUAL') throw otherTrigger('campaign_not_manually_triggered', campaign)
  return startRun(world, campaign)
}

export const event: Action<typeof raiseCampaignEvent> = (world, { params, body }) => {
  const campaign = requireCampaign(world, params.id)
  if (campaign.trigger !== 'EVENT') throw otherTrigger('campaign_not_event_triggered', campaign)
  const contact = contactByRef(world, body.contact_id)
  if (!contact) throw unknownReference('contact_id', body.contact_id)
  const { run_id } = bringContact(world, campaign, contact.id)
  return { run_id, status: requireCampaign(world, params.id).status }
}
