import type { Flow, Person, Stage } from '../flow.ts'
import { EMAILS, emailNewsletter, emailTo, grant } from './steps.ts'

/** After a second opening, a message may be clicked or opened; without one it is clicked. */
const OPENINGS = [
  ['email.opened', 'email.clicked', 'email.opened'],
  ['email.opened', 'email.opened', 'email.clicked'],
] as const

async function bounce(stage: Stage, person: Person, bounce_type: 'hard' | 'soft') {
  const message_id = await emailNewsletter(stage, person)
  await stage.trigger('email.bounced', { message_id, bounce_type })
}

export const emailFlows: readonly Flow[] = [
  {
    name: 'unsubscription',
    summary: 'A user clicks a link in an email newsletter and unsubscribes',
    async run(stage) {
      const message_id = await emailTo(stage, await stage.person(EMAILS))
      await stage.trigger('email.clicked', { message_id })
      await stage.trigger('email.unsubscribed', { message_id })
    },
  },
  {
    name: 'complaint',
    summary: 'A user marks an email newsletter as spam, and the consent is recorded again',
    async run(stage) {
      const person = await stage.person(EMAILS)
      const message_id = await emailTo(stage, person)
      await stage.trigger('email.complained', { message_id })
      await grant(stage, person, EMAILS)
    },
  },
  {
    name: 'bounce',
    summary:
      'A newsletter bounces with a hard bounce; somebody else subscribes whose address differs in the part after + only',
    async run(stage) {
      const person = await stage.person(EMAILS)
      await bounce(stage, person, 'hard')
      await stage.person(EMAILS, person)
    },
  },
  {
    name: 'soft-bounce',
    summary: 'A newsletter bounces with a soft bounce',
    run: async (stage) => bounce(stage, await stage.person(EMAILS), 'soft'),
  },
  {
    name: 'opened-and-clicked',
    summary: 'A user opens an email twice and clicks a link',
    variants: OPENINGS.length,
    async run(stage) {
      const message_id = await emailTo(stage, await stage.person(EMAILS))
      for (const event of stage.pick('order', OPENINGS)) await stage.trigger(event, { message_id })
    },
  },
]
