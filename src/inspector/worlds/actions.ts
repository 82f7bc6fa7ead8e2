import { type PageAction, userAction } from '../api/user-action.ts'

/** Actions on namespaces and snapshots. */

export const SCOPES = ['all', 'messages', 'events', 'faults', 'rules', 'balance'] as const
type Scope = (typeof SCOPES)[number]

export const reset = (namespace: string, scope: Scope): PageAction =>
  userAction(`namespaces reset ${namespace} ${scope}`, 'namespaces', 'reset', namespace, { scope })

export const remove = (namespace: string): PageAction =>
  userAction(`namespaces delete ${namespace}`, 'namespaces', 'delete', namespace)

export const save = (name: string): PageAction => userAction(`snapshots save ${name}`, 'snapshots', 'save', { name })

export const restore = (name: string): PageAction =>
  userAction(`snapshots restore ${name}`, 'snapshots', 'restore', name)

export const fork = (name: string, namespace: string): PageAction =>
  userAction(`snapshots fork ${name} ${namespace}`, 'snapshots', 'fork', name, { namespace })

export const removeSnapshot = (name: string): PageAction =>
  userAction(`snapshots delete ${name}`, 'snapshots', 'delete', name)
