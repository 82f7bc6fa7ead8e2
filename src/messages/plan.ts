import { isLaunchedOn } from '../agents/actions.ts'
import { trafficTypesOf } from '../agents/rules.ts'
import { senderById } from '../agents/shared.ts'
import { deviceOf, magicLayer, planEmailDelivery, planRcsDelivery, planSmsDelivery } from '../carriers/actions.ts'
import type { Layer } from '../carriers/behaviour.ts'
import type { Plan } from '../carriers/rules.ts'
import type { FailureReason } from '../words/vocabulary.ts'
import type { World } from '../world/world.ts'
import { firstLinkOf } from './content.ts'
import type { MessageRow } from './store.ts'

/** What will become of a message: decided from the seed, once, when it is dispatched. */
export const planOf = (world: World, row: MessageRow): Plan => plans[row.channel](world, row, layersOf(world, row))

/** Whoever has a say before carrier and mail server, the strongest first (choices, "Outcome precedence"). */
const layersOf = (world: World, row: MessageRow): Layer[] =>
  [magicLayer(world, row.recipient)].filter((layer) => layer !== undefined)

const planOfEmail = (world: World, row: MessageRow, layers: readonly Layer[]): Plan =>
  planEmailDelivery(world, row.id, layers, firstLinkOf(JSON.parse(row.content)) !== undefined)

function planOfRcs(world: World, row: MessageRow, layers: readonly Layer[]): Plan {
  const device = deviceOf(world, row.recipient)
  return planRcsDelivery(world, row.id, device, layers, carrierRefusal(world, row, device.carrier.name))
}

const planOfSms = (world: World, row: MessageRow, layers: readonly Layer[]): Plan =>
  planSmsDelivery(world, row.id, deviceOf(world, row.recipient), layers)

const plans = { RCS: planOfRcs, EMAIL: planOfEmail, SMS: planOfSms } as const

/** Interface §2.7 and §6: what a carrier turns away, whoever the recipient is. */
function carrierRefusal(world: World, row: MessageRow, carrier: string): FailureReason | undefined {
  const agent = senderById(world, row.agent_id!)!
  if (!trafficTypesOf[agent.use_case].includes(row.traffic_type!)) return 'REJECTED_SPAM'
  return isLaunchedOn(agent, carrier) ? undefined : 'CARRIER_NOT_LAUNCHED'
}
