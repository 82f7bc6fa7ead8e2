import { quoted, type UserAction, userAction } from '../api/user-action.ts'

export const create = (url: string, events: string): UserAction =>
  userAction(`webhooks create --url ${quoted(url)} --events ${quoted(events)}`, 'webhooks', 'create', {
    url,
    events: events.split(',').map((name) => name.trim()),
  } as never)

export const test = (id: string): UserAction => userAction(`webhooks test ${id}`, 'webhooks', 'test', id)

export const remove = (id: string): UserAction => userAction(`webhooks delete ${id}`, 'webhooks', 'delete', id)
