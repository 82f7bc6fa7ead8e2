import type { World } from '../../world/world.ts'
import { TEST_CHANNEL_ID, testAgent } from '../agents/shared.ts'
import { recipientByPhone } from '../contacts/actions.ts'
import { type Carried, renderTemplate } from './channels/checked-send.ts'
import type { Content } from './channels/content.ts'
import { byAgent, rcs } from './channels/rcs.ts'
import type { Asked } from './channels/request.ts'
import { queue } from './send.ts'

/**
 * Reads the content of a send by the Test Agent. It does not depend on the recipient, so that no refusal tells of one.
 */
export const testContent = (world: World, carried: Carried): Content =>
  rcs.contentOf(carried.content ?? renderTemplate(world, carried, 'RCS'))

/** Sends to a verified number. The verification stands for consent; a suppressed contact stays suppressed. */
export function sendByTestAgent(world: World, asked: Asked, content: Content, carried: Carried) {
  const contact = recipientByPhone(world, asked.to)
  const recipient = { status: contact?.status ?? 'ACTIVE', consent: 'GRANTED' } as const
  const send = { asked, content, contact, recipient }
  const permitted = byAgent(world, testAgent(world), TEST_CHANNEL_ID)(send)
  return queue(world, { ...send, ...permitted, channel: 'RCS', carried })
}
