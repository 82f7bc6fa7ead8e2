import { type Act, act } from '../api/act.ts'

/** Namespaces and snapshots: worlds of this process, and copies of them. */

export const SCOPES = ['all', 'messages', 'events', 'faults', 'rules', 'balance'] as const
type Scope = (typeof SCOPES)[number]

export const reset = (namespace: string, scope: Scope): Act =>
  act(`namespaces reset ${namespace} ${scope}`, 'namespaces', 'reset', namespace, { scope })

export const remove = (namespace: string): Act =>
  act(`namespaces delete ${namespace}`, 'namespaces', 'delete', namespace)

export const save = (name: string): Act => act(`snapshots save ${name}`, 'snapshots', 'save', { name })

export const restore = (name: string): Act => act(`snapshots restore ${name}`, 'snapshots', 'restore', name)

export const fork = (name: string, namespace: string): Act =>
  act(`snapshots fork ${name} ${namespace}`, 'snapshots', 'fork', name, { namespace })

export const removeSnapshot = (name: string): Act => act(`snapshots delete ${name}`, 'snapshots', 'delete', name)
