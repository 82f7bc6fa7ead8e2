import type { World } from '../../world/world.ts'
import { TEST_CHANNEL_ID, testAgent } from '../agents/shared.ts'
import { recipientByPhone } from '../contacts/actions.ts'
import { type Carried, renderTemplate } from './checked-send.ts'
import type { Content } from './content.ts'
import { checkByAgent } from './rcs.ts'
import { type RcsRequest, rcsContent } from './request.ts'
import { queue } from './send.ts'

/** The content of a send by the Test Agent. Nothing of it depends on the recipient. */
export const testContent = (world: World, carried: Carried): Content =>
  rcsContent(carried.content ?? renderTemplate(world, carried, 'RCS'))

/** Sends to a number whose owner has verified it, which stands for consent; a suppressed contact stays suppressed. */
export function sendByTestAgent(
  world: World,
  request: Omit<RcsRequest, 'agentId'>,
  content: Content,
  carried: Carried,
) {
  const agent = testAgent(world)
  const contact = recipientByPhone(world, request.phone)
  const recipient = { isKnown: true, status: contact?.status ?? 'ACTIVE', consent: 'GRANTED' } as const
  return queue(
    world,
    checkByAgent(world, { request, agent, channel_id: TEST_CHANNEL_ID, contact, recipient, content, carried }),
  )
}
