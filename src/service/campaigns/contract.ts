import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { markChosen } from '../../words/choice.ts'
import { CampaignId, IdempotencyText, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { PAUSED_STATUSES } from '../../words/statuses.ts'
import { CampaignStatus, RunCounts } from '../../words/vocabulary.ts'

export const about: About = {
  name: 'campaigns',
  group: 'Account',
  summary: 'Define, trigger, pause, resume and read campaigns',
}

/** The status of a contact in a run. */
export const ExecutionStatus = z.enum(['pending', 'in_progress', 'completed', 'failed', 'ineligible'])
export type ExecutionStatus = z.infer<typeof ExecutionStatus>

const RunId = z
  .string()
  .regex(/^run_/)
  .meta({ example: 'run_00000000-0000-4000-8000-000000000001', description: 'Id of a run.' })

export const Started = z.strictObject({
  run_id: RunId.describe('Id of this run of the campaign.'),
  status: z.literal('RUNNING').describe('Status of the run.'),
})

export const campaignParams = { id: CampaignId.describe('Id of the campaign.') }

export const triggerCampaign = operation({
  id: 'campaigns.trigger',
  section: '4.4',
  summary: 'Start a run of a campaign with an API trigger',
  call: 'POST /v1/campaigns/{id}/trigger',
  params: campaignParams,
  body: z
    .strictObject(
      markChosen({
        idempotency_key: IdempotencyText.optional().describe(
          'Idempotency key, alternative to the Idempotency-Key header.',
        ),
      }),
    )
    .meta({ example: { idempotency_key: 'spring-sale' } }),
  bodyOptional: true,
  output: Started,
  status: 202,
  isStatusStated: true,
  idempotency: 'text',
  problems: [
    'campaign_not_api_triggered',
    'campaign_already_running',
    'insufficient_balance',
    'idempotency_key_reused',
  ],
})

export const pauseCampaign = operation({
  id: 'campaigns.pause',
  section: '4.4',
  summary: 'Pause a running campaign',
  details: 'No further contact starts; contacts in progress stop after their current node.',
  call: 'POST /v1/campaigns/{id}/pause',
  params: campaignParams,
  output: z.strictObject({ status: z.literal('PAUSED').describe('Status of the run. No further contact starts.') }),
  isStatusStated: true,
  problems: ['campaign_not_pausable'],
})

export const resumeCampaign = operation({
  id: 'campaigns.resume',
  section: '4.4',
  summary: 'Resume a paused campaign',
  details: 'The run continues with the contacts that have not finished.',
  call: 'POST /v1/campaigns/{id}/resume',
  params: campaignParams,
  output: Started,
  isStatusStated: true,
  problems: ['campaign_not_resumable', 'insufficient_balance'],
  choice: true,
})

export const showCampaignStatus = operation({
  id: 'campaigns.status',
  section: '4.4',
  summary: 'Show the status of a campaign',
  call: 'GET /v1/campaigns/{id}/status',
  params: campaignParams,
  output: z.strictObject({
    campaign_id: CampaignId.describe('Id of the campaign.'),
    run_id: RunId.nullable().describe('Current or last run; null before the first run.'),
    status: CampaignStatus.describe('Status of the campaign.'),
    pause_reason: z
      .enum(PAUSED_STATUSES)
      .nullable()
      .describe('Reason for the pause: the status while paused, otherwise null.'),
    counts: RunCounts,
    started_at: Timestamp.nullable().describe('Start of the run.'),
    completed_at: Timestamp.nullable().describe('End of the run.'),
  }),
  choice: true,
})
