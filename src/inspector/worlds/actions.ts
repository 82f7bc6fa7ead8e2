import { type PageAction, pageAction } from '../api/page-action.ts'

export const SCOPES = ['all', 'messages', 'events', 'faults', 'rules', 'balance'] as const
export type ResetScope = (typeof SCOPES)[number]

export const create = (namespace: string): PageAction => ({ ...pageAction('clock', 'show'), as: namespace })
export const reset = (namespace: string, scope: ResetScope): PageAction =>
  pageAction('namespaces', 'reset', namespace, { scope })
export const remove = (namespace: string): PageAction => pageAction('namespaces', 'delete', namespace)
export const save = (name: string, as?: string): PageAction => ({
  ...pageAction('snapshots', 'save', { name }),
  ...(as === undefined ? {} : { as }),
})
export const restore = (name: string): PageAction => pageAction('snapshots', 'restore', name)
export const removeSnapshot = (name: string): PageAction => pageAction('snapshots', 'delete', name)
