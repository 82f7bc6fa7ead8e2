import { type PageAction, pageAction } from '../api/page-action.ts'

export const rotateSecret = (id: string): PageAction => pageAction('webhooks', 'update', id, { rotate_secret: true })
export const test = (id: string): PageAction => pageAction('webhooks', 'test', id)
export const remove = (id: string): PageAction => pageAction('webhooks', 'delete', id)
