import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { lazily } from '../../words/lazy.ts'
import { checkedText, hasBlank, parseWebUrl } from '../../words/text.ts'

const NEARBY = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
] as const

/** Created on first use, because it takes some milliseconds. */
const nearbyAddresses = lazily(() => {
  const list = new BlockList()
  for (const [net, prefix, family] of NEARBY) list.addSubnet(net, prefix, family)
  return list
})

/** Allowed targets: https anywhere, http on nearby addresses only (choices, "Address of an endpoint"). */
export const EndpointUrl = checkedText('invalid_url', faultOf, z.string().max(2048))
  .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', example: 'https://example.com/hook' })
  .describe('URL that receives events by POST: https anywhere, http on loopback and private addresses only.')

function faultOf(text: string): string | undefined {
  if (hasBlank(text)) return 'must not contain spaces or line breaks; write a space as %20'
  const url = parseWebUrl(text)
  if (!url) return 'must be an https URL, or an http URL of this machine or network'
  if (url.protocol === 'https:' || isNearby(url.hostname)) return undefined
  return 'must begin with https: http is for localhost, loopback and private addresses only'
}

/** Host names except localhost may resolve to anywhere, so http accepts addresses only. */
function isNearby(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  return family !== 0 && nearbyAddresses().check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Removes user, password and query, which may be secret. */
export function withoutSecrets(text: string): string {
  const url = new URL(text)
  const { username, password, search, hash } = url
  if (username + password + search + hash === '') return text
  if (username + password !== '') Object.assign(url, { username: 'redacted', password: '' })
  return Object.assign(url, { search: search && '?redacted', hash: '' }).href
}
