import { type TenThousandths, toEuros } from '../../words/money.ts'
import { type Problem, problem } from '../../words/problem.ts'
import type { World } from '../../world/world.ts'
import { agentById } from '../agents/actions.ts'
import * as billing from '../billing/actions.ts'
import type { PricedContent } from '../billing/rules.ts'
import { templateById } from '../channels/actions.ts'
import { render } from '../channels/template.ts'
import { audienceCount, channelTypeOf } from './audience.ts'
import type { Definition, Send } from './definition.contract.ts'
import type { NodeCount } from './execution.store.ts'
import { highestCosts } from './flow.ts'

/**
 * Estimates the rest of a run in 1/10,000 EUR: the most expensive path of each contact at current first-send prices,
 * without discounts for paid sessions or subscribers.
 */
export function estimate(world: World, { flow }: Definition, counts: readonly NodeCount[]): TenThousandths {
  const dearest = highestCosts(flow, (index) => {
    const node = flow[index]!
    return node.node === 'SEND' ? priceOf(world, node) : 0
  })
  return counts.reduce((sum, { node, contacts }) => sum + contacts * dearest(node ?? flow[0]!.id), 0)
}

/** Counts the contacts of a run that starts now, and estimates whether the free balance covers it. */
export function startFacts(world: World, definition: Definition): { total: number; short: Problem | undefined } {
  const total = audienceCount(world, definition)
  return { total, short: shortfall(world, estimate(world, definition, [{ node: null, contacts: total }]), total) }
}

/** The 402 of interface §4.4, where the free balance is below the estimate. */
export function shortfall(world: World, required: TenThousandths, contacts: number): Problem | undefined {
  const funds = billing.fundsOf(world)
  if (funds.free >= required) return undefined
  const required_amount = toEuros(required)
  const balance = billing.balanceOf(funds)
  return problem(
    'insufficient_balance',
    `The campaign needs about ${required_amount} EUR for ${contacts} contacts, and ${balance.free} EUR are free.`,
    { required_amount, balance, topup_url: billing.topupUrl(world) },
  )
}

export const hasNoMoney = (world: World): boolean => billing.fundsOf(world).free <= 0

function priceOf(world: World, send: Send): TenThousandths {
  const agent = send.agent_id === undefined ? undefined : agentById(world, send.agent_id)
  return billing.quote(world, {
    channel: channelTypeOf(world, send),
    messageType: send.message_type ?? 'MESSAGE',
    content: contentOf(world, send),
    bySession: agent?.billing_category === 'CONVERSATIONAL',
    sessionPaid: false,
    subscriberPaid: false,
  }).price
}

function contentOf(world: World, { content, template_id, template_data = {} }: Send): PricedContent {
  if (content) return content
  const template = templateById(world, template_id!, undefined)
  return template ? (render(template.content, template_data) as PricedContent) : {}
}
