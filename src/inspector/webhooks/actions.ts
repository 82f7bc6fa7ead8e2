import { type PageAction, pageAction, quoted } from '../api/page-action.ts'

export const create = (url: string, events: string): PageAction =>
  pageAction(`webhooks create --url ${quoted(url)} --events ${quoted(events)}`, 'webhooks', 'create', {
    url,
    events: events.split(',').map((name) => name.trim()),
  } as never)

export const test = (id: string): PageAction => pageAction(`webhooks test ${id}`, 'webhooks', 'test', id)

export const remove = (id: string): PageAction => pageAction(`webhooks delete ${id}`, 'webhooks', 'delete', id)
