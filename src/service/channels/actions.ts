import { unknownReference } from '../../words/broken-fields.ts'
import { problem } from '../../words/problem.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import { type Channel, channelStore } from './store.ts'
import { render, type TemplateData } from './template.ts'

export type { Channel }

export const channelById = (world: World, id: string): Channel | undefined => world.store(channelStore).get(id)

export const channelOfAgent = (world: World, agentId: string): Channel | undefined =>
  world.store(channelStore).ofAgent(agentId)

/** The channel of a send whose fields are not checked yet; undefined for a sender that does not exist. */
export function channelOfSend(world: World, { channel_id }: { channel_id?: unknown }): ChannelType | undefined {
  if (channel_id === undefined) return 'RCS'
  return typeof channel_id === 'string' ? channelById(world, channel_id)?.type : undefined
}

/** The RCS channel of an agent that may send: the platform maps agents to channels (interface §2.1, rule 4). */
export function openChannelOf(world: World, agent_id: string, name = 'RCS agent') {
  if (channelOfAgent(world, agent_id)) return
  world.store(channelStore).insert({
    channel_id: world.ids.next('ch_'),
    type: 'RCS',
    name,
    active: true,
    domain_verified: true,
    message_types: ['MESSAGE', 'NEWSLETTER'],
    agent_id,
  })
}

/** SMS sending is announced and unavailable (interface §1), unless the world was made with a preview of it. */
export const isSmsPreviewed = (world: World): boolean => world.store(channelStore).hasPreview('sms')

export const channelsOf = (world: World) => world.store(channelStore).list()

export function templateById(world: World, id: string, version: string | undefined) {
  const row = world.store(channelStore).template(id, version)
  return row && { ...row, content: JSON.parse(row.content) as unknown }
}

/** The fields of a send that choose a template and fill it. */
interface TemplateChoice {
  template_id?: string | undefined
  template_version?: string | undefined
  template_data?: TemplateData | undefined
}

/** Creates the content of a send over a channel from its template and data. */
export function contentFromTemplate(
  world: World,
  { template_id, template_version, template_data }: TemplateChoice,
  channel: ChannelType,
): unknown {
  const template = templateById(world, template_id!, template_version)
  if (!template && templateById(world, template_id!, undefined))
    throw problem('not_found', `There is no version ${template_version} of template ${template_id} in this world.`, {
      details: [{ field: 'template_version', code: 'not_found', message: 'does not exist' }],
    })
  if (!template) throw unknownReference('template_id', template_id!)
  if (template.channel_type !== channel)
    throw problem('validation_error', `template_id: is a template for ${template.channel_type}, not for ${channel}.`, {
      details: [{ field: 'template_id', code: 'invalid_value', message: `is a template for ${template.channel_type}` }],
    })
  return render(template.content, template_data ?? {})
}

export const templatesOf = (world: World) => world.store(channelStore).templates()
