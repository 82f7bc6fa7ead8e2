import { z } from 'zod'
import { listSection, type Noun, section } from '../../world/noun.ts'
import { isSmsPreviewed } from './actions.ts'
import { channelStore, tables } from './store.ts'
import { ChannelEntry, dumpChannels, dumpTemplates, loadChannels, loadTemplate, TemplateEntry } from './world-file.ts'

const Preview = z.strictObject({
  sms: z.boolean().default(false).describe('Simulated SMS sending, which the service does not offer yet.'),
})

/** Channels and templates are made in the dashboard only (interface §1), so here they come from the world file. */
export const noun: Noun = {
  tables,
  sections: [
    section(
      'preview',
      Preview.describe('Features that the service announces but does not offer yet.'),
      (world, { sms }) => {
        if (sms) world.store(channelStore).insertPreview('sms')
      },
      (world) => ({ sms: isSmsPreviewed(world) }),
    ),
    section(
      'channels',
      z
        .array(ChannelEntry)
        .default([])
        .describe('Email, SMS and RCS channels. An approved agent gets its own channel.'),
      loadChannels,
      dumpChannels,
    ),
    listSection(
      'templates',
      z.array(TemplateEntry).describe('Email and RCS templates with their versions.'),
      loadTemplate,
      dumpTemplates,
    ),
  ],
}
