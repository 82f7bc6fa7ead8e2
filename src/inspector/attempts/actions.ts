import { type PageAction, pageAction } from '../api/page-action.ts'

/** Delivers an event again, to one endpoint or to all that subscribe to it. */
export const replay = (event: string, endpoint_id?: string): PageAction =>
  endpoint_id === undefined
    ? pageAction('events', 'replay', event)
    : pageAction('events', 'replay', event, { endpoint_id })
