import { type Act, act, quoted } from '../api/act.ts'

export const create = (url: string, events: string): Act =>
  act(`webhooks create --url ${quoted(url)} --events ${quoted(events)}`, 'webhooks', 'create', {
    url,
    events: events.split(',').map((name) => name.trim()),
  } as never)

export const test = (id: string): Act => act(`webhooks test ${id}`, 'webhooks', 'test', id)

export const remove = (id: string): Act => act(`webhooks delete ${id}`, 'webhooks', 'delete', id)
