import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { blockOf, readPage, runPrograms, runShell } from '../page.ts'
import { createSandbox } from '../sandbox.ts'
import { runCommands } from './commands.ts'

const readme = await readPage('README.md')

const block = (marker: string) => blockOf(readme, marker)

test('the walkthrough of the README runs as written', async () => {
  await using sandbox = await createSandbox({ clock: 'scaled:20' })
  const ran = await runCommands(block('walkthrough'), { url: sandbox.url })
  const codes = ran.map(({ line, code }) => ({ line, code }))
  expect(codes).toEqual(codes.map(({ line }) => ({ line, code: line.includes('rejected as spam') ? 7 : 0 })))
  const stdout = ran.map((one) => one.stdout).join('')
  expect(ran.filter((one) => /^\{[\s\S]*"status": ?"queued"/.test(one.stdout))).not.toEqual([])
  expect(stdout).toMatch(/"read"/)
  expect(stdout).toContain('REJECTED_SPAM')
  expect(stdout).toContain('/_sandbox/doi/')
  expect(stdout).toContain('whsec_')
  expect(await sandbox.client.billing.balance()).toEqual({ free: 999.95, reserved: 0, total: 999.95 })
})

/** When each attempt was made, in seconds after the first one. */
const offsets = (times: readonly string[]) => times.map((at) => (Date.parse(at) - Date.parse(times[0]!)) / 1_000)
/** Ids and times. A duration of less than a millisecond is not shown. */
const CHANGING = /(?<=evt_|dlv_)[\w-]+|\d{4}-\S+Z/g
const DURATION = / {2}\d+ ms/g
const DAY_OF_RETRIES = [0, 60, 300, 3_600, 86_400]

test('the sandbox retries over a day as the README shows', async () => {
  const shown = [...block('deliveries').matchAll(/^ {2}\d {2}(\S+) {2}no answer/gm)].map((match) => match[1]!)
  expect(offsets(shown)).toEqual(DAY_OF_RETRIES)
  await using sandbox = await createSandbox({ clock: 'scaled:20' })
  const lines = block('walkthrough').split('\n').slice(0, 4)
  const ran = await runCommands([...lines, `${lines[3]} --output table`].join('\n'), { url: sandbox.url })
  expect(ran.filter(({ code }) => code !== 0)).toEqual([])
  const [delivery] = (JSON.parse(ran[3]!.stdout) as { data: { attempts: { at: string }[] }[] }).data
  expect(delivery).toMatchObject({ status: 'failed' })
  expect(offsets(delivery!.attempts.map(({ at }) => at))).toEqual(DAY_OF_RETRIES)
  const [now, before] = [ran[4]!.stdout, block('deliveries')].map((text) => text.trimEnd().replaceAll(CHANGING, '…'))
  expect(now!.replaceAll(DURATION, '')).toBe(before!.replaceAll(DURATION, ''))
})

test('the curl call of the README sends a message', async () => {
  await using sandbox = await createSandbox()
  const stdout = await runShell(block('curl').replace('http://localhost:7270', sandbox.url), sandbox.url)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'queued', billing: { hold_amount: 0.05 } })
})

test('the library example of the README prints what it says', async () => {
  expect(await runPrograms([block('library')])).toEqual(['expired'])
})

test('the table of magic recipients is that of the default world', async () => {
  await using sandbox = await createSandbox()
  const { magic_recipients } = await sandbox.client.world.show()
  const table = /<!-- magic -->\n([\s\S]*?)<!-- \/magic -->/.exec(readme)![1]!.trim().split('\n').slice(2)
  const cells = table.map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, 3),
  )
  expect(cells).toEqual(magic_recipients.map(({ address, does }) => [`\`${address}\``, does]))
})

test('every command the README shows is one the program knows', async () => {
  const shown = [...readme.matchAll(/npx sandbox ([a-z]+)(?: ([a-z]+(?:-[a-z]+)*))?/g)].map(([, noun, verb]) => {
    const isGroup = !['start', 'send', 'listen', 'wait', 'trigger', 'explain', 'logs', 'help', 'completion'].includes(
      noun!,
    )
    return isGroup && verb ? `${noun} ${verb}` : noun!
  })
  const helps = [...new Set(shown)]
  expect(helps.length).toBeGreaterThan(8)
  for (const words of helps) {
    const { stdout } = await sandboxCommand([...words.split(' '), '--help'])
    expect(stdout, words).toMatch(new RegExp(`^Usage: sandbox ${words} `))
  }
})

test('the situations of the README happen as described', async () => {
  await using sandbox = await createSandbox()
  const ran = await runCommands(block('situations'), { url: sandbox.url })
  expect(ran.filter(({ code }) => code !== 0)).toEqual([])
  const stdout = ran.map((one) => one.stdout).join('')
  expect(stdout).toMatch(/"event": ?"message.expired"/)
  expect(stdout).toContain('expired')
  // The saved data exists again after the reset.
  const { faults } = await sandbox.client.faults.list()
  expect(faults).toHaveLength(1)
  expect((await sandbox.client.messages.list({})).messages).toMatchObject([{ status: 'expired' }])
})
