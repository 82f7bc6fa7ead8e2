import { type UserAction, userAction } from '../api/user-action.ts'

export const trigger = (id: string): UserAction => userAction(`campaigns trigger ${id}`, 'campaigns', 'trigger', id)
export const run = (id: string): UserAction => userAction(`campaigns run ${id}`, 'campaigns', 'run', id)
export const pause = (id: string): UserAction => userAction(`campaigns pause ${id}`, 'campaigns', 'pause', id)
export const resume = (id: string): UserAction => userAction(`campaigns resume ${id}`, 'campaigns', 'resume', id)
export const breakDown = (id: string): UserAction =>
  userAction(`trigger campaign.paused_error --campaign ${id}`, 'events', 'trigger', {
    event: 'campaign.paused_error',
    campaign_id: id,
  })
