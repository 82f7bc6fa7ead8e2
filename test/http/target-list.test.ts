import { expect, test } from 'vitest'
import { targetListOf } from '../../src/http/target-list.ts'

test('a list of targets allows its names, domains, addresses and networks, and nothing similar', () => {
  const list = targetListOf('hooks.example.com, *.staging.example.com,10.0.0.0/8,192.168.1.7,fd00::/8')
  if (typeof list === 'string') throw new Error(list)
  const allows = (host: string) => list.allows(new URL(`http://${host}/hook`))
  for (const host of [
    'hooks.example.com',
    'HOOKS.example.com:8443',
    'hooks.example.com.',
    'a.staging.example.com',
    'a.b.staging.example.com',
    '10.1.2.3:3000',
    '0x0a.1',
    '192.168.1.7',
    '[fd00::1]:3000',
  ])
    expect({ host, allowed: allows(host) }).toEqual({ host, allowed: true })
  for (const host of [
    'example.com',
    'xhooks.example.com',
    'hooks.example.com.evil.example',
    'staging.example.com',
    'evilstaging.example.com',
    '11.0.0.1',
    '192.168.1.8',
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[fe80::1]',
    'hooks.example.com@evil.example',
  ])
    expect({ host, allowed: allows(host) }).toEqual({ host, allowed: false })
})

test('an invalid list names the wrong entry', () => {
  for (const text of ['', 'a b', 'https://hooks.example.com', '10.0.0.0/33', 'hooks.example.com,,x', '*', '*.'])
    expect({ text, fault: targetListOf(text) }).toEqual({ text, fault: expect.any(String) })
})
