import { z } from 'zod'
import { agentsOf } from '../agents/actions.ts'
import { displayNameOf } from '../agents/rules.ts'
import { AgentId, ChannelId, TemplateId } from '../words/ids.ts'
import { ChannelType, ConsentType } from '../words/vocabulary.ts'
import { type Noun, section } from '../world/noun.ts'
import { openChannelOf } from './actions.ts'
import { channelStore, tables } from './store.ts'

const Channel = z.strictObject({
  channel_id: ChannelId,
  type: ChannelType,
  name: z.string().min(1),
  active: z.boolean().default(true),
  domain_verified: z.boolean().default(true).describe('Of the sending domain; email only.'),
  message_types: z.array(ConsentType).default(['MESSAGE', 'NEWSLETTER']),
  agent_id: AgentId.optional().describe('The agent that an RCS channel belongs to.'),
})

const Template = z.strictObject({
  template_id: TemplateId,
  version: z.string().min(1).default('1').describe('The last one listed for an id is the latest.'),
  channel_type: ChannelType,
  name: z.string().min(1),
  content: z.record(z.string(), z.unknown()).describe('Content of a send, with {{variables}} in its texts.'),
})

const Preview = z.strictObject({
  sms: z.boolean().default(false).describe('Simulate SMS sending, which the service announces but does not offer yet.'),
})

/** Channels and templates are made in the dashboard only (interface §1), so here they come from the world file. */
export const channels: Noun = {
  tables,
  sections: [
    section('preview', Preview, (world, { sms }) => {
      if (sms) world.store(channelStore).insertPreview('sms')
    }),
    section('channels', z.array(Channel).default([]), (world, list) => {
      for (const { active, domain_verified, message_types, agent_id, ...rest } of list)
        world.store(channelStore).insert({
          ...rest,
          active: active ? 1 : 0,
          domain_verified: domain_verified ? 1 : 0,
          message_types: JSON.stringify(message_types),
          agent_id: agent_id ?? null,
        })
      for (const agent of agentsOf(world))
        if (agent.approved_at !== null) openChannelOf(world, agent.agent_id, displayNameOf(agent))
    }),
    section('templates', z.array(Template), (world, list) => {
      for (const [position, { content, ...rest }] of list.entries())
        world.store(channelStore).insertTemplate({ ...rest, position, content: JSON.stringify(content) })
    }),
  ],
}
