import { expect, test } from 'vitest'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { atTerminal, hasPseudoTerminal } from './pseudo-terminal.ts'

test.skipIf(!hasPseudoTerminal)('keys resend, show, pause, filter and quit', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const make = (name: string) => sandbox.client.contacts.create({ email: `${name}@example.com` })
  const terminal = atTerminal(['listen', '--forward-to', receiver.url], { SANDBOX_BASE_URL: sandbox.url })
  await terminal.until('q quits')
  terminal.press('r')
  await terminal.until('No event yet.')
  const { id } = await make('ada')
  await terminal.until(`${id}  200`)
  terminal.press('o')
  await terminal.until('"email":"ada@example.com"')
  terminal.press('r')
  await terminal.until(`${id}  200`)
  expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body)

  terminal.press('p')
  await terminal.until('Paused')
  const bea = await make('bea')
  terminal.press('r')
  await terminal.until(`${id}  200`)
  expect(receiver.received).toHaveLength(3)
  terminal.press('p')
  await terminal.until(`${bea.id}  200`)

  terminal.press('f')
  await terminal.until('filter: ')
  terminal.press('data.email=evx\u007fe@example.com\r')
  await terminal.until('Showing only data.email=eve@example.com')
  const dan = await make('dan')
  const eve = await make('eve')
  await terminal.until(`${eve.id}  200`)
  expect(terminal.text()).not.toContain(dan.id)
  expect(receiver.received).toHaveLength(6)

  terminal.press('q')
  await terminal.until('stopped after event 4; 4 forwarded, 0 parked')
  expect(await terminal.ended).toBe(0)
})

test.skipIf(!hasPseudoTerminal)('Ctrl-C ends listen and restores the terminal', async () => {
  await using sandbox = await createSandbox()
  const terminal = atTerminal(['listen'], { SANDBOX_BASE_URL: sandbox.url }, 'stty -a')
  await terminal.until('q quits')
  terminal.press('\u0003')
  await terminal.until('stopped after event 0')
  await terminal.until(' icanon')
  expect(await terminal.ended).toBe(0)
})
