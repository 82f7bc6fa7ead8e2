import type { Flow, Person, Stage } from '../flow.ts'
import { MESSAGES } from './steps.ts'

/** Why a campaign pauses: each event is campaign.paused, with another status. */
const PAUSES = ['a call', 'campaign.paused_error', 'campaign.paused_balance'] as const

async function pause({ client, pick, trigger }: Stage, campaign_id: string) {
  const how = pick('pause', PAUSES)
  await (how === 'a call' ? client.campaigns.pause(campaign_id) : trigger(how, { campaign_id }))
}

async function startCampaign(
  { client, agentId, uuid }: Stage,
  people: readonly Person[],
  wait?: string,
): Promise<string> {
  const campaign_id = uuid()
  await client.campaigns.define({
    campaign_id,
    name: 'Spring',
    trigger: 'API',
    audience: { contacts: people.map(({ contactId }) => contactId) },
    flow: [
      {
        node: 'SEND',
        id: 'send',
        agent_id: agentId,
        message_type: 'MESSAGE',
        traffic_type: 'TRANSACTION',
        content: { text: 'Spring is here' },
      },
      ...(wait === undefined ? [] : [{ node: 'WAIT' as const, id: 'wait', for: wait }]),
      { node: 'END', id: 'end' },
    ],
  })
  await client.campaigns.trigger(campaign_id)
  return campaign_id
}

export const campaignFlows: readonly Flow[] = [
  {
    name: 'campaign',
    summary: 'A campaign runs to its end',
    async run(stage) {
      const people = [await stage.person(MESSAGES), await stage.person(MESSAGES)]
      await startCampaign(stage, people)
      await stage.clock.advance('1h')
    },
  },
  {
    name: 'partial-campaign',
    summary: 'A campaign runs to its end, but cannot reach everybody',
    async run(stage) {
      await startCampaign(stage, [await stage.person(MESSAGES), await stage.person()])
      await stage.clock.advance('1h')
    },
  },
  {
    name: 'paused-campaign',
    summary: 'A campaign is paused, or pauses by itself, is resumed and runs to its end',
    variants: PAUSES.length,
    async run(stage) {
      const campaign_id = await startCampaign(stage, [await stage.person(MESSAGES)], '5m')
      await pause(stage, campaign_id)
      await stage.client.campaigns.resume(campaign_id)
      await stage.clock.advance('1h')
    },
  },
  {
    name: 'resumed-campaign',
    summary: 'A campaign is paused and resumed, and still runs',
    async run(stage) {
      const campaign_id = await startCampaign(stage, [await stage.person(MESSAGES)], '365d')
      await stage.client.campaigns.pause(campaign_id)
      await stage.client.campaigns.resume(campaign_id)
    },
  },
  {
    name: 'repeated-campaign',
    summary: 'A campaign has two runs: it can reach nobody in the first one, and is paused in the second',
    async run(stage) {
      const campaign_id = await startCampaign(stage, [await stage.person()], '5m')
      await stage.clock.advance('1h')
      await stage.client.campaigns.trigger(campaign_id)
      await stage.client.campaigns.pause(campaign_id)
      await stage.clock.advance('1h')
    },
  },
  {
    name: 'campaign-on-hold',
    summary: 'A campaign is paused, or pauses by itself, and is not resumed',
    variants: PAUSES.length,
    async run(stage) {
      const campaign_id = await startCampaign(stage, [await stage.person(MESSAGES)], '5m')
      await pause(stage, campaign_id)
      await stage.clock.advance('1h')
    },
  },
]
