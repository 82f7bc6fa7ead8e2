import { type Act, act } from '../api/act.ts'

export const trigger = (id: string): Act => act(`campaigns trigger ${id}`, 'campaigns', 'trigger', id)
export const run = (id: string): Act => act(`campaigns run ${id}`, 'campaigns', 'run', id)
export const pause = (id: string): Act => act(`campaigns pause ${id}`, 'campaigns', 'pause', id)
export const resume = (id: string): Act => act(`campaigns resume ${id}`, 'campaigns', 'resume', id)
export const breakDown = (id: string): Act =>
  act(`trigger campaign.paused_error --campaign ${id}`, 'events', 'trigger', {
    event: 'campaign.paused_error',
    campaign_id: id,
  })
