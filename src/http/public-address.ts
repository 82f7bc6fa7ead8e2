import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { lazily } from '../words/lazy.ts'
import { lookupAll, report } from './lookup.ts'
import { isThisMachine } from './request.ts'

/** Networks that are not the public internet (IANA special-purpose registries), and those that embed such addresses. */
const NOT_PUBLIC = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 63],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

type Family = 'ipv4' | 'ipv6'

const familyOf = (address: string): Family => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Created on first use, because it takes some milliseconds. Node compares IPv4 addresses with IPv6 networks too, so each family has its own. */
const networks = lazily(() => {
  const lists: Record<Family, BlockList> = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const [net, prefix] of NOT_PUBLIC) lists[familyOf(net)].addSubnet(net, prefix, familyOf(net))
  return lists
})

/** True for an address of the public internet. An IPv6 address that embeds an IPv4 address counts as not public. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !networks()[familyOf(address)].check(address.replace(/%.*$/, ''), familyOf(address))

/** Servers of this machine may listen on its public address for others than those who send webhooks from it. */
export const isOfThisMachine = (address: string, interfaces = networkInterfaces()): boolean =>
  Object.values(interfaces).some((list) => list?.some((own) => own.address === address))

const isOutside = (address: string) => isPublicAddress(address) && !isOfThisMachine(address)

/** The server is not on the public internet, and nothing was sent to it. */
const refusal = (address: string, hostname: string) =>
  Object.assign(
    new Error(
      `${hostname === address ? address : `${hostname} is ${address}, which`} is ${isPublicAddress(address) ? 'an address of this machine' : 'a loopback, private, link-local or reserved address'}`,
    ),
    { code: 'EACCES' },
  )

/**
 * Returns the reason why a server must not be contacted, if its URL names this machine or contains an address instead of a name.
 * The URL parser has normalized every spelling (decimal, octal, hexadecimal).
 */
export function addressRefusal({ hostname }: URL): Error | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  const isRefused = isIP(address) === 0 ? isThisMachine({ hostname }) : !isOutside(address)
  return isRefused ? refusal(address, address) : undefined
}

/** Resolves a name and fails where any of its addresses is not public. Node connects to what this returns. */
export const lookupPublic: LookupFunction = (hostname, options, found) =>
  lookupAll(hostname, options, (error, addresses) => {
    const inside = addresses.find(({ address }) => !isOutside(address))
    if (error ?? inside) return found(error ?? refusal(inside!.address, hostname), [])
    report(found, addresses, options.all)
  })
