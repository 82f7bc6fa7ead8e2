import { z } from 'zod'
import { brokenField } from '../../words/broken-fields.ts'
import { AgentId, ChannelId, TemplateId } from '../../words/ids.ts'
import { suggest } from '../../words/suggest.ts'
import { ChannelType, ConsentType } from '../../words/vocabulary.ts'
import { loadEach } from '../../world/file/entries.ts'
import { hook } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'
import { channelsOf, openChannelOf, templatesOf } from './actions.ts'
import { channelStore } from './store.ts'

/** An entry of the section `channels` of a world file. */
export const ChannelEntry = z.strictObject({
  channel_id: ChannelId,
  type: ChannelType,
  name: z.string().min(1),
  active: z.boolean().default(true),
  domain_verified: z.boolean().default(true).describe('Whether the sending domain is verified (email).'),
  message_types: z.array(ConsentType).default(['MESSAGE', 'NEWSLETTER']),
  agent_id: AgentId.optional().describe('Agent of an RCS channel.'),
})

/** An entry of the section `templates`. */
export const TemplateEntry = z.strictObject({
  template_id: TemplateId,
  version: z
    .string()
    .min(1)
    .default('1')
    .describe('Version of the template. The last version listed for an id is the latest.'),
  channel_type: ChannelType,
  name: z.string().min(1),
  content: z.record(z.string(), z.unknown()).describe('Content of the message, with {{variables}} in its texts.'),
})

/** The fields of an agent that its channel needs. */
interface Sender {
  agent_id: string
  name: string | undefined
  isApproved: boolean
}

/** The agents own the RCS channels. Their noun is in a layer above and contributes here. */
export const senders = hook<(world: World) => readonly Sender[]>()

const sendersOf = (world: World) => senders.of(world).flatMap((of) => of(world))

export function loadChannels(world: World, list: readonly z.output<typeof ChannelEntry>[]) {
  loadEach('channels', list, (channel) => {
    checkAgent(world, channel)
    world.store(channelStore).insert({ ...channel, agent_id: channel.agent_id ?? null })
  })
  for (const { agent_id, name, isApproved } of sendersOf(world)) if (isApproved) openChannelOf(world, agent_id, name)
}

function checkAgent(world: World, { type, agent_id }: z.output<typeof ChannelEntry>) {
  const refuse = (message: string) => brokenField('agent_id', 'invalid_value', message)
  if (type === 'RCS' && agent_id === undefined) throw refuse('is required on an RCS channel')
  if (agent_id === undefined) return
  if (type !== 'RCS') throw refuse(`is only for RCS channels, and this one is ${type}`)
  const agentIds = sendersOf(world).map((sender) => sender.agent_id)
  if (!agentIds.includes(agent_id)) throw refuse(`must be an agent of this world${suggest(agent_id, agentIds)}`)
}

export const dumpChannels = (world: World): z.input<typeof ChannelEntry>[] =>
  channelsOf(world).map(({ message_types, agent_id, ...channel }) => ({
    ...channel,
    message_types: [...message_types],
    agent_id: agent_id ?? undefined,
  }))

export function loadTemplate(world: World, { content, ...rest }: z.output<typeof TemplateEntry>, position: number) {
  world.store(channelStore).insertTemplate({ ...rest, position, content: JSON.stringify(content) })
}

export const dumpTemplates = (world: World): z.input<typeof TemplateEntry>[] =>
  templatesOf(world).map(({ position: _, content, ...rest }) => ({ ...rest, content: JSON.parse(content) }))
