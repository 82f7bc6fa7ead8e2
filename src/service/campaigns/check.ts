import type { z } from 'zod'
import { brokenField, refusedBy } from '../../words/broken-fields.ts'
import type { Detail } from '../../words/problem.ts'
import { parseIsoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { agentById } from '../agents/actions.ts'
import { channelById, templateById } from '../channels/actions.ts'
import { render } from '../channels/template.ts'
import { contactByRef } from '../contacts/actions.ts'
import { refuse } from '../messages/channels/channel.ts'
import { channels } from '../messages/channels/index.ts'
import { alreadyRunning } from './actions.ts'
import { channelTypeOf } from './audience.ts'
import type { CampaignDefinition, Send } from './definition.contract.ts'
import { redefine } from './run.ts'
import { campaignStore } from './store.ts'

type CampaignInput = z.output<typeof CampaignDefinition>

/** Throws the 400 for all references that this world does not have. */
function checkReferences(world: World, { flow, audience }: CampaignInput) {
  const details = flow.flatMap((node, i) => {
    if (node.node !== 'SEND') return []
    const faults = faultsOfSend(world, node, `flow[${i}]`)
    return node.fallback === 'none' ? faults : [...faults, ...faultsOfSend(world, node.fallback, `flow[${i}].fallback`)]
  })
  if (audience && 'contacts' in audience)
    for (const [i, id] of audience.contacts.entries())
      if (!contactByRef(world, id)) details.push(unknown(`audience.contacts[${i}]`))
  refuse(details)
}

export function checkDate(world: World, { scheduled_at }: CampaignInput) {
  if (scheduled_at === undefined || parseIsoTime(scheduled_at) >= world.now()) return
  refuse([
    { field: 'scheduled_at', code: 'in_the_past', message: `must not lie in the past: it is ${world.timestamp()}` },
  ])
}

const unknown = (field: string): Detail => ({ field, code: 'not_found', message: 'does not exist in this world' })

const faultsOfSend = (world: World, send: Send, path: string): Detail[] => [
  ...faultsOfSender(world, send, path),
  ...faultsOfContent(world, send, path),
]

function faultsOfSender(world: World, { agent_id, channel_id, message_type }: Send, path: string): Detail[] {
  const wrong = (field: string, code: string, message: string): Detail => ({ field: `${path}.${field}`, code, message })
  if (agent_id === undefined) {
    const channel = channelById(world, channel_id!)
    if (!channel) return [unknown(`${path}.channel_id`)]
    if (channel.type === 'RCS')
      return [wrong('channel_id', 'invalid_value', 'is an RCS channel; pass agent_id instead')]
    return message_type === 'CONVERSATION'
      ? [wrong('message_type', 'invalid_value', `must be MESSAGE or NEWSLETTER on ${channel.type}`)]
      : []
  }
  return agentById(world, agent_id) ? [] : [unknown(`${path}.agent_id`)]
}

function faultsOfContent(world: World, send: Send, path: string): Detail[] {
  const { content, template_id, template_data } = send
  const { contentOf } = channels[channelTypeOf(world, send)]
  if (template_id === undefined) return faultsIn(path, () => contentOf(content))
  const template = templateById(world, template_id, undefined)
  if (!template) return [unknown(`${path}.template_id`)]
  if (template.channel_type === channelTypeOf(world, send))
    return faultsIn(path, () => contentOf(render(template.content, template_data ?? {})))
  return [
    { field: `${path}.template_id`, code: 'invalid_value', message: `is a template for ${template.channel_type}` },
  ]
}

/** Collects refusals under a path of the definition. */
const faultsIn = (path: string, attempt: () => unknown): Detail[] =>
  refusedBy(attempt).map((detail) => ({ ...detail, field: `${path}.${inContent(detail.field)}` }))

/** The subject of an email is inside content here. */
const inContent = (field: string) => (field === 'subject' ? 'content.subject' : field)

/** Adds a campaign of a world file; duplicates are a fault of the file. */
export function loadCampaign(world: World, input: CampaignInput) {
  if (input.campaign_id !== undefined && world.store(campaignStore).get(input.campaign_id))
    throw brokenField('campaign_id', 'duplicate', 'another campaign has the same id')
  define(world, input)
}

/** Defines a campaign, or replaces its definition. */
export function define(world: World, input: CampaignInput) {
  checkReferences(world, input)
  const definition = { ...input, campaign_id: input.campaign_id ?? world.ids.next('') }
  const existing = world.store(campaignStore).get(definition.campaign_id)
  const campaign = redefine(world, existing, definition)
  if (!campaign) throw alreadyRunning(world, existing!)
  return { isNew: existing === undefined, campaign }
}
