import { type PageAction, pageAction, withWords } from '../api/page-action.ts'

export const trigger = (id: string): PageAction => pageAction('campaigns', 'trigger', id)
export const run = (id: string): PageAction => pageAction('campaigns', 'run', id)
export const pause = (id: string): PageAction => pageAction('campaigns', 'pause', id)
export const resume = (id: string): PageAction => pageAction('campaigns', 'resume', id)
export const failProvider = (id: string): PageAction =>
  withWords(`trigger campaign.paused_error --campaign ${id}`, 'events', 'trigger', {
    event: 'campaign.paused_error',
    campaign_id: id,
  })
