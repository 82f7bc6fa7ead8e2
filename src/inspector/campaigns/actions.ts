import { type PageAction, userAction } from '../api/user-action.ts'

export const trigger = (id: string): PageAction => userAction(`campaigns trigger ${id}`, 'campaigns', 'trigger', id)
export const run = (id: string): PageAction => userAction(`campaigns run ${id}`, 'campaigns', 'run', id)
export const pause = (id: string): PageAction => userAction(`campaigns pause ${id}`, 'campaigns', 'pause', id)
export const resume = (id: string): PageAction => userAction(`campaigns resume ${id}`, 'campaigns', 'resume', id)
export const breakDown = (id: string): PageAction =>
  userAction(`trigger campaign.paused_error --campaign ${id}`, 'events', 'trigger', {
    event: 'campaign.paused_error',
    campaign_id: id,
  })
