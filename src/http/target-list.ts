import { BlockList, isIP } from 'node:net'

/** The hosts that webhooks may reach. */
export interface TargetList {
  allows(url: URL): boolean
}

const NAME = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/
const NETWORK = /^(.+)\/(\d{1,3})$/

/**
 * Reads a list such as `hooks.example.com,*.staging.example.com,10.0.0.0/8`: names, names below a domain, addresses and
 * networks. A name is allowed whatever its address; an address only if the URL contains it instead of a name.
 * Returns the fault of an entry as text.
 */
export function targetListOf(text: string): TargetList | string {
  const names = new Set<string>()
  const domains: string[] = []
  const networks = new BlockList()
  for (const entry of text
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())) {
    const [, network = entry, length] = NETWORK.exec(entry) ?? []
    const family = isIP(network)
    if (family !== 0) {
      const maxBits = family === 4 ? 32 : 128
      const prefix = length === undefined ? maxBits : Number(length)
      if (prefix > maxBits) return `has a network ${entry} with more than ${maxBits} bits`
      networks.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6')
    } else if (!NAME.test(entry)) return `must list names, *.domains, addresses and networks, not "${entry}"`
    else if (entry.startsWith('*.')) domains.push(entry.slice(1))
    else names.add(entry)
  }
  return {
    allows({ hostname }) {
      const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
      const family = isIP(host)
      if (family !== 0) return networks.check(host, family === 4 ? 'ipv4' : 'ipv6')
      const name = host.replace(/\.$/, '')
      return names.has(name) || domains.some((domain) => name.endsWith(domain))
    },
  }
}
