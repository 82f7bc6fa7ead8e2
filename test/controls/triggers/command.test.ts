import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { triggerNames } from '../../../src/controls/triggers/table.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { agents, phones, rcsText } from '../../magic.ts'
import { readPage, runCommands, shellBlocks } from '../../page.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const at = ({ url }: Sandbox, more: object = {}) => ({ env: { SANDBOX_BASE_URL: url }, ...more })

test('sandbox trigger moves a message; programs get the answer, people the way it took', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.off })
  const piped = await sandboxCommand(['trigger', 'message.delivered', '--message', message_id], at(sandbox))
  expect(piped.code).toBe(0)
  expect(piped.json).toMatchObject({
    event: 'message.delivered',
    subject: message_id,
    from: 'queued',
    to: 'delivered',
    events: [{ event: 'message.delivered' }],
  })
  const seen = await sandboxCommand(['trigger', 'message.read', '--message', 'last'], at(sandbox, { tty: true }))
  expect(seen.stdout).toMatch(new RegExp(`✓ message.read {2}${message_id} {2}delivered → read\n.*message.read #3`))
})

test('a failed precondition is exit code 4, and names the current status', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.unknownUser })
  await sandbox.clock.advance('1m')
  const { code, error } = await sandboxCommand(['trigger', 'message.read', '--message', 'last'], at(sandbox))
  expect(code).toBe(4)
  expect(error).toMatchObject({
    error: 'trigger_precondition_failed',
    state: 'failed',
    needs: ['queued', 'dispatched', 'delivered'],
    http_status: 409,
  })
  const unknown = await sandboxCommand(['trigger', 'message.raed', '--message', 'last'], at(sandbox))
  expect(unknown.code).toBe(2)
  expect(unknown.error.message).toContain('did you mean "message.read"?')
  const gone = await sandboxCommand(
    ['trigger', 'message.read', '--message', `msg_${'0'.repeat(8)}-0000-4000-8000-000000000009`],
    at(sandbox),
  )
  expect(gone.code).toBe(5)
})

test('missing and unknown flags of an event are reported before any request', async () => {
  await using sandbox = await createSandbox()
  const run = (...argv: string[]) => sandboxCommand(['trigger', ...argv], at(sandbox))
  expect(await run()).toMatchObject({ code: 2 })
  expect((await run('message.failed')).error).toMatchObject({
    message: 'message.failed needs --message and --reason.',
    exit_code: 2,
  })
  expect((await run('message.read', '--message', 'last', '--reason', 'X')).error.message).toBe(
    '--reason is not for message.read.',
  )
  expect((await run('message.read', '--message', 'last')).error.message).toContain('No message has been sent yet')
  expect((await run('message.read', '--list')).code).toBe(2)
})

test('--reason says why a message fails, and why an agent is rejected', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const run = (...argv: string[]) => sandboxCommand(['trigger', ...argv], at(sandbox))
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
  await run('message.failed', '--message', 'last', '--reason', 'REJECTED_SPAM')
  expect(await client.messages.get(message_id)).toMatchObject({ failure_reason: 'REJECTED_SPAM' })
  await client.agents.submit(agents.draft)
  expect((await run('agent.rejected', '--agent', agents.draft, '--reason', 'No logo.')).code).toBe(0)
  expect(await client.agents.get(agents.draft)).toMatchObject({ rejection_reason: 'No logo.' })
  const strange = await run('message.failed', '--message', 'last', '--reason', 'SPAM')
  expect(strange.error.message).toContain('REJECTED_SPAM')
})

test('--list shows every event with its flags and what it needs, --help its flags, without a sandbox', async () => {
  const { code, json } = await sandboxCommand(['trigger', '--list'])
  expect(code).toBe(0)
  const listed = json.triggers as { event: string; flags: string; needs: string }[]
  expect(listed.map(({ event }) => event)).toEqual(triggerNames)
  const people = await sandboxCommand(['trigger', '--list'], { tty: true })
  const help = await sandboxCommand(['trigger', '--help'])
  expect(help.stdout).toContain('"sandbox trigger --list" adds effects and conditions')
  for (const { event, flags, needs } of listed) {
    for (const text of [people.stdout, help.stdout]) {
      expect(text).toContain(event)
      expect(text).toContain(flags)
    }
    expect(people.stdout).toContain(needs)
  }
})

const page = await readPage('docs/triggers.md')

test('the shell blocks of docs/triggers.md run as written', async () => {
  await using sandbox = await createSandbox()
  const stdout = await runCommands(shellBlocks(page).join('\n'), sandbox.url)
  expect(stdout).toContain('"to":"read"')
  expect(stdout).toContain('exit code 4')
  expect((await sandbox.client.messages.list({ direction: 'INBOUND' })).messages).toHaveLength(1)
})

test('docs/triggers.md names every precondition that a refusal can name', async () => {
  const root = new URL('../../../', import.meta.url)
  const sources = globSync('src/controls/triggers/!(contract).ts', { cwd: fileURLToPath(root) }).map((path) =>
    readFileSync(new URL(path, root), 'utf8'),
  )
  const codes = new Set(sources.flatMap((text) => [...text.matchAll(/code: '([a-z_]+)'/g)].map((match) => match[1]!)))
  expect(codes.size).toBeGreaterThan(7)
  for (const code of codes) expect(page, code).toContain(`\`${code}\``)
})
