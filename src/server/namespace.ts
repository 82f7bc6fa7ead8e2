import type { IncomingMessage } from 'node:http'
import { brokenField } from '../words/broken-fields.ts'
import { decodeUri } from '../words/decode-uri.ts'
import { isFileName } from '../words/file-name.ts'

/** A request whose URL names a namespace. */
export interface Prefixed {
  /** The name in the URL, which nobody has checked yet. */
  prefix?: string
}

/** Accepts an absolute URL as the request target; its host replaces the Host header (RFC 9112 §3.2.2). */
export function takeOriginForm(req: IncomingMessage) {
  if (!/^https?:\/\//i.test(req.url!) || !URL.canParse(req.url!)) return
  const { host, pathname, search } = new URL(req.url!)
  req.headers.host = host
  req.url = pathname + search
}

/** Matches the API and the control plane only, because pages are the same in every namespace. */
const PREFIX = /^\/ns\/([^/?#]*)(?=\/(?:v1|_sandbox)\/)/

/** Removes `/ns/<name>` from a URL, so that later code sees the operation's path. */
export function takePrefix(req: IncomingMessage & Prefixed) {
  if (req.prefix !== undefined) return
  const [matched, name] = PREFIX.exec(req.url!) ?? []
  if (matched === undefined) return
  req.prefix = name!
  req.url = req.url!.slice(matched.length)
}

/** Reads the namespace that a request asks for besides its key: from its URL, or from its baggage. */
export function requestedNamespace({ prefix, headers: { baggage } }: IncomingMessage & Prefixed): string | undefined {
  if (prefix !== undefined) return checked('namespace', prefix, `/ns/${prefix}`)
  return typeof baggage === 'string' ? inBaggage(baggage) : undefined
}

const KEY = 'sandbox.ns'

/** W3C Baggage: comma-separated members with a key, a percent-encoded value and properties, which are ignored. */
function inBaggage(baggage: string): string | undefined {
  const members = baggage.split(',').map((member) => member.split(';')[0]!)
  const pairs = members.map((pair) => [pair.split('=')[0]!.trim(), pair.slice(pair.indexOf('=') + 1).trim()] as const)
  // Other members belong to others; ones that resemble ours are misspelt.
  const unknownKey = pairs.find(([key]) => key.startsWith('sandbox.') && key !== KEY)?.[0]
  if (unknownKey)
    throw brokenField('baggage', 'unknown_key', `has an unknown key ${unknownKey}; name a namespace with ${KEY}=<name>`)
  const names = new Set(pairs.filter(([key]) => key === KEY).map(([, value]) => value))
  if (names.size > 1)
    throw brokenField('baggage', 'conflict', `names more than one namespace: ${[...names].join(', ')}`)
  for (const value of names) return checked('baggage', decodeUri(value), `${KEY}=${value}`)
  return undefined
}

function checked(field: string, name: string, shown: string): string {
  if (isFileName(name)) return name
  throw brokenField(field, 'invalid_format', `must name a namespace with 1 to 64 of a-z, 0-9, - and _, unlike ${shown}`)
}
