import { createClient } from '../../src/index.ts'
import { latencies, type Request } from './load.ts'
import type { Running } from './processes.ts'

const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
const HEALTH: Request = { method: 'GET', path: '/_sandbox/health' }
/** Contacts that a campaign sends to in a second. */
const PACE = 500

export interface CampaignRun {
  sent: number
  /** The time to generate the contacts, ms. */
  generatedMs: number
  /** The time of the advance, ms. */
  advancedMs: number
  /** The slowest answer of health meanwhile, ms. */
  slowestHealth: number
  /** The most memory at one time, bytes. */
  memory: number
}

/** Sends a campaign to this number of contacts and advances the clock over all of it at once. */
export async function campaignTo(contacts: number, sandbox: Running): Promise<CampaignRun> {
  const client = createClient({
    baseUrl: `http://127.0.0.1:${sandbox.port}`,
    apiKey: 'sk_sandbox_default',
    timeoutMs: 0,
  })
  const consent = [{ channel_type: 'RCS', message_type: 'MESSAGE' } as const]
  const generating = performance.now()
  await client.contacts.generate({ count: contacts, tag: 'bench', consent })
  const generatedMs = performance.now() - generating
  const { campaign_id } = await client.campaigns.define({
    name: 'Bench',
    trigger: 'API',
    audience: { tag: 'bench' },
    flow: [
      {
        node: 'SEND',
        id: 'send',
        agent_id: AGENT,
        message_type: 'MESSAGE',
        traffic_type: 'PROMOTION',
        content: { text: 'Ten percent off, this week only.' },
      },
      { node: 'END', id: 'end' },
    ],
  })
  await client.campaigns.trigger(campaign_id)
  let isDone = false
  const from = performance.now()
  const advance = client.clock.advance({ by: `${Math.ceil(contacts / PACE) + 60}s` }).finally(() => {
    isDone = true
  })
  let [slowestHealth, memory] = [0, 0]
  while (!isDone) {
    slowestHealth = Math.max(slowestHealth, ...(await latencies(sandbox.port, [HEALTH])))
    memory = Math.max(memory, sandbox.memory())
  }
  await advance
  const advancedMs = performance.now() - from
  const { status, counts } = await client.campaigns.status(campaign_id)
  if (status !== 'COMPLETED') throw new Error(`the campaign is ${status}: ${JSON.stringify(counts)}`)
  return { sent: counts.completed, generatedMs, advancedMs, slowestHealth, memory }
}
