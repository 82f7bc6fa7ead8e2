import { z } from 'zod'
import { type Noun, section } from '../../world/noun.ts'
import { isSmsPreviewed } from './actions.ts'
import { channelStore, tables } from './store.ts'
import { ChannelEntry, dumpChannels, dumpTemplates, loadChannels, loadTemplates, TemplateEntry } from './world-file.ts'

const Preview = z.strictObject({
  sms: z.boolean().default(false).describe('Simulate SMS sending, which the service announces but does not offer yet.'),
})

/** Channels and templates are made in the dashboard only (interface §1), so here they come from the world file. */
export const noun: Noun = {
  tables,
  sections: [
    section(
      'preview',
      Preview.describe('What the service announces and does not offer yet.'),
      (world, { sms }) => {
        if (sms) world.store(channelStore).insertPreview('sms')
      },
      (world) => ({ sms: isSmsPreviewed(world) }),
    ),
    section(
      'channels',
      z.array(ChannelEntry).default([]).describe('Email, SMS and RCS channels; an approved agent gets one of its own.'),
      loadChannels,
      dumpChannels,
    ),
    section(
      'templates',
      z.array(TemplateEntry).describe('Templates of email and RCS, in their versions.'),
      loadTemplates,
      dumpTemplates,
    ),
  ],
}
