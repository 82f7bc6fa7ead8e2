import { magicRecipientsOf } from '../../network/carriers/actions.ts'
import { agentsOf } from '../../service/agents/actions.ts'
import { campaignsOf } from '../../service/campaigns/actions.ts'
import { channelsOf, templatesOf } from '../../service/channels/actions.ts'
import type { Action, AsyncAction } from '../../world/noun.ts'
import { resetScope } from '../../world/reset.ts'
import { carrierAnswers } from '../carriers/actions.ts'
import { reading } from '../clock/actions.ts'
import type { resetWorld, showWorld } from './contract.ts'

export const show: Action<typeof showWorld> = (world) => ({
  namespace: world.namespace,
  seed: world.seed,
  clock: reading(world),
  agents: agentsOf(world).map(
    ({ agent_id, status, use_case, billing_category, newsletter_enabled, profile, launches }) => ({
      agent_id,
      display_name: JSON.parse(profile).display_name ?? null,
      status,
      use_case,
      billing_category,
      newsletter_enabled: newsletter_enabled === 1,
      launched_on: (JSON.parse(launches) as { carrier: string; status: string }[])
        .filter((launch) => launch.status === 'LAUNCHED')
        .map(({ carrier }) => carrier),
    }),
  ),
  channels: channelsOf(world).map(({ channel_id, type, name, agent_id, isActive, isDomainVerified, messageTypes }) => ({
    channel_id,
    type,
    name,
    agent_id,
    active: isActive,
    domain_verified: isDomainVerified,
    message_types: messageTypes,
  })),
  templates: templatesOf(world).map(({ template_id, version, channel_type, name }) => ({
    template_id,
    version,
    channel_type,
    name,
  })),
  campaigns: campaignsOf(world).map(({ campaign_id, name, trigger, status }) => ({
    campaign_id,
    name,
    trigger,
    status,
  })),
  carriers: carrierAnswers(world),
  magic_recipients: magicRecipientsOf(world).map(({ address, does }) => ({ address, does })),
})

export const reset: AsyncAction<typeof resetWorld> = async (world, { body }) => {
  await resetScope(world, body.scope)
  return { namespace: world.namespace, scope: body.scope, clock: reading(world) }
}
