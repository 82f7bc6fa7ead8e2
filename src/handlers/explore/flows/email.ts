import type { Flow } from '../flow.ts'
import { EMAILS, emailNewsletter, emailTo } from './steps.ts'

const bounce = (name: string, bounce_type: 'hard' | 'soft'): Flow => ({
  name,
  summary: `A newsletter bounces with a ${bounce_type} bounce`,
  async run(stage) {
    const message_id = await emailNewsletter(stage, await stage.person(EMAILS))
    await stage.trigger('email.bounced', { message_id, bounce_type })
  },
})

export const emailFlows: readonly Flow[] = [
  {
    name: 'unsubscription',
    summary: 'A user gets an email newsletter and unsubscribes',
    async run(stage) {
      const message_id = await emailTo(stage)
      await stage.trigger('email.unsubscribed', { message_id })
    },
  },
  {
    name: 'complaint',
    summary: 'A user marks an email newsletter as spam',
    async run(stage) {
      const message_id = await emailTo(stage)
      await stage.trigger('email.complained', { message_id })
    },
  },
  bounce('bounce', 'hard'),
  bounce('soft-bounce', 'soft'),
  {
    name: 'opened-and-clicked',
    summary: 'A user opens an email, clicks a link and opens it again',
    async run(stage) {
      const message_id = await emailTo(stage)
      await stage.trigger('email.opened', { message_id })
      await stage.trigger('email.clicked', { message_id })
      await stage.trigger('email.opened', { message_id })
    },
  },
]
