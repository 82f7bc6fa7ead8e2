import { type PageAction, quoted, userAction } from '../api/user-action.ts'

export const create = (url: string, events: string): PageAction =>
  userAction(`webhooks create --url ${quoted(url)} --events ${quoted(events)}`, 'webhooks', 'create', {
    url,
    events: events.split(',').map((name) => name.trim()),
  } as never)

export const test = (id: string): PageAction => userAction(`webhooks test ${id}`, 'webhooks', 'test', id)

export const remove = (id: string): PageAction => userAction(`webhooks delete ${id}`, 'webhooks', 'delete', id)
