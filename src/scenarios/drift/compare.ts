import type { Shape } from './shape.ts'

/** A difference between the answers of service and emulator. */
export interface Drift {
  /** `messages.send` */
  operation: string
  section: string
  probe: string
  what: 'status' | 'code' | 'field' | 'type' | 'header'
  /** The field or header; empty for status and error code. */
  path: string
  emulator: string
  service: string
}

type Differing = Pick<Drift, 'what' | 'path' | 'emulator' | 'service'>

export function differencesOf(emulator: Shape, service: Shape): Differing[] {
  const found: Differing[] = []
  const add = (what: Drift['what'], path: string, ours: unknown, theirs: unknown) =>
    found.push({ what, path, emulator: String(ours), service: String(theirs) })
  if (emulator.status !== service.status) add('status', '', emulator.status, service.status)
  if (emulator.error !== service.error) add('code', '', emulator.error ?? 'none', service.error ?? 'none')
  compareHeaders(emulator.headers, service.headers, add)
  // Errors and successes have different fields, and the status is reported already.
  if (emulator.status >= 400 === service.status >= 400) {
    if (isText(emulator) === isText(service)) compareFields(emulator.fields, service.fields, add)
    else add('type', 'body', bodyKind(emulator), bodyKind(service))
    if (hasDetails(emulator) && hasDetails(service) && emulator.named.join() !== service.named.join())
      add('field', 'details', emulator.named.join(', ') || 'none', service.named.join(', ') || 'none')
  }
  return found
}

/** An answer that is not a JSON object has no fields to compare. */
const isText = ({ fields }: Shape) => '' in fields
const bodyKind = (shape: Shape) => (isText(shape) ? shape.fields['']! : 'JSON')

const hasDetails = ({ fields }: Shape) => fields.details === 'list'

type Add = (what: Drift['what'], path: string, ours: unknown, theirs: unknown) => void

function compareHeaders(ours: Shape['headers'], theirs: Shape['headers'], add: Add) {
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
    if (ours[name] !== theirs[name]) add('header', name, ours[name] ?? 'none', theirs[name] ?? 'none')
}

/** Null on one side tells nothing about kinds, nor about nested fields. */
function compareFields(ours: Shape['fields'], theirs: Shape['fields'], add: Add) {
  for (const path of [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort()) {
    if (/^details\[\]/.test(path) || !hasParent(path, ours, theirs)) continue
    const [our, their] = [ours[path], theirs[path]]
    if (our === undefined || their === undefined) add('field', path, our ?? 'none', their ?? 'none')
    else if (our !== their && our !== 'null' && their !== 'null') add('type', path, our, their)
  }
}

/** Returns whether both sides have the parent of a field: an object, or a list with an entry. */
function hasParent(path: string, ours: Shape['fields'], theirs: Shape['fields']): boolean {
  const parent = path.endsWith('[]') ? undefined : parentOf(path)
  if (path.endsWith('[]')) return ours[path] !== undefined && theirs[path] !== undefined
  if (parent === undefined) return true
  return [ours, theirs].every((fields) => fields[parent] === 'object') && hasParent(parent, ours, theirs)
}

const parentOf = (path: string): string | undefined =>
  path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : undefined
