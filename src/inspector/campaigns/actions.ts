import { type PageAction, pageAction } from '../api/page-action.ts'

export const trigger = (id: string): PageAction => pageAction(`campaigns trigger ${id}`, 'campaigns', 'trigger', id)
export const run = (id: string): PageAction => pageAction(`campaigns run ${id}`, 'campaigns', 'run', id)
export const pause = (id: string): PageAction => pageAction(`campaigns pause ${id}`, 'campaigns', 'pause', id)
export const resume = (id: string): PageAction => pageAction(`campaigns resume ${id}`, 'campaigns', 'resume', id)
export const breakDown = (id: string): PageAction =>
  pageAction(`trigger campaign.paused_error --campaign ${id}`, 'events', 'trigger', {
    event: 'campaign.paused_error',
    campaign_id: id,
  })
