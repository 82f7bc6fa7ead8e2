import { type PageAction, pageAction } from '../api/page-action.ts'

/** Actions on namespaces and snapshots. */

export const SCOPES = ['all', 'messages', 'events', 'faults', 'rules', 'balance'] as const
type Scope = (typeof SCOPES)[number]

export const reset = (namespace: string, scope: Scope): PageAction =>
  pageAction(`namespaces reset ${namespace} ${scope}`, 'namespaces', 'reset', namespace, { scope })

export const remove = (namespace: string): PageAction =>
  pageAction(`namespaces delete ${namespace}`, 'namespaces', 'delete', namespace)

export const save = (name: string): PageAction => pageAction(`snapshots save ${name}`, 'snapshots', 'save', { name })

export const restore = (name: string): PageAction =>
  pageAction(`snapshots restore ${name}`, 'snapshots', 'restore', name)

export const fork = (name: string, namespace: string): PageAction =>
  pageAction(`snapshots fork ${name} ${namespace}`, 'snapshots', 'fork', name, { namespace })

export const removeSnapshot = (name: string): PageAction =>
  pageAction(`snapshots delete ${name}`, 'snapshots', 'delete', name)
