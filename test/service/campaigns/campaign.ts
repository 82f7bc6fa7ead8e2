import { allItems } from '../../../src/client/pages.ts'
import type { Client } from '../../../src/index.ts'
import { worldLikeDefault } from '../../folder.ts'
import { agents, contactOf } from '../../magic.ts'
import type { Sandbox } from '../../sandbox.ts'

export type Definition = Parameters<Client['campaigns']['define']>[0]
type Flow = Definition['flow']

export const notice = {
  node: 'SEND',
  id: 'notice',
  agent_id: agents.multi,
  message_type: 'MESSAGE',
  traffic_type: 'PROMOTION',
  content: { text: 'Ten percent off, this week only.' },
} as const
export const reminder = { ...notice, id: 'reminder', content: { text: 'Only one day left.' } } as const
export const end = { node: 'END', id: 'end' } as const
export const wait = (time: string) => ({ node: 'WAIT', id: 'wait', for: time }) as const

/** Ordinary phones 50 to 99 (default world), all with consent. */
export const ordinary = (count: number, from = 50) => ({
  contacts: Array.from({ length: count }, (_, i) => contactOf(from + i)),
})

/** A new campaign with the API trigger, by default for three ordinary phones. */
export async function define({ client }: Sandbox, flow: Flow, change: Partial<Definition> = {}): Promise<string> {
  const { campaign_id } = await client.campaigns.define({
    name: 'Test',
    trigger: 'API',
    ...(change.trigger === 'EVENT' ? {} : { audience: ordinary(3) }),
    flow,
    ...change,
  })
  return campaign_id
}

export const countsOf = async ({ client }: Sandbox, id: string) => (await client.campaigns.status(id)).counts

/** All messages of a campaign, newest first. */
export const sentBy = ({ client }: Sandbox, campaign_id: string) =>
  allItems(
    (query) => client.messages.list({ campaign_id, ...query }),
    ({ messages }) => messages,
  )

/** A world with this free balance, EUR. */
export const worldWith = (balance: number) =>
  worldLikeDefault((file) => {
    file.billing.balance = balance
  })

/** A world whose carriers take each message after exactly 100 ms. */
export const quickCarriers = () =>
  worldLikeDefault((file) => {
    for (const carrier of file.carriers) carrier.dispatch_delay = '100ms'
  })

export const CARRIERS = ['nordfunk', 'rheinmobil', 'alpentel']

export async function outage({ client }: Sandbox, outage: boolean, carriers = CARRIERS) {
  for (const carrier of carriers) await client.carriers.update(carrier, { outage })
}

/** The campaign events so far: name, status and what was counted. */
export async function eventsOf({ client }: Sandbox, campaignId: string) {
  const { events } = await client.events.list({ limit: 1_000 })
  return events
    .filter(({ event }) => event.startsWith('campaign.'))
    .map(({ event, data }) => ({
      event,
      ...(data as { campaign_id: string; status: string; counts: unknown; at: string }),
    }))
    .filter(({ campaign_id }) => campaign_id === campaignId)
}
