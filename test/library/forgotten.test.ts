import { readdir, rmdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runConsumer } from './consumer.ts'

const start =
  "import { createSandbox } from 'messaging-sandbox'; const sandbox = await createSandbox({ clock: 'real' })\n"
const send = `await sandbox.client.messages.send({ agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', to: '+491713920022',
  message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'in an hour' } })\n`

test('a sandbox that nobody stops lets its process end, with messages still on their way', async () => {
  expect(await runConsumer('consumer.mjs', `${start}${send}console.log('done')`)).toEqual({
    code: 0,
    stdout: 'done\n',
    stderr: '',
  })
})

test('a sandbox that nobody stops leaves none of the namespaces that it has put on disk', async () => {
  const temporary = `import { mkdtempSync } from 'node:fs'; import { tmpdir } from 'node:os'
    console.log(process.env.TMPDIR = mkdtempSync(tmpdir() + '/forgotten-'))\n`
  const use =
    'for (let n = 0; n < 70; n++) await sandbox.as("n" + n).clock.show(); console.log(readdirSync(tmpdir()).length)'
  const source = `import { readdirSync } from 'node:fs'\n${temporary}${start}${use}`
  const { code, stdout } = await runConsumer('consumer.mjs', source)
  const [folder, before] = stdout.trim().split('\n')
  expect([code, before]).toEqual([0, '1'])
  expect(await readdir(folder!)).toEqual([])
  await rmdir(folder!)
})

test('code that stops the sandbox, or waits for an answer, reaches its next line', async () => {
  const slow =
    "await sandbox.client.faults.add({ routes: ['GET:/v1/messages'], latency: '200ms' }); await sandbox.client.messages.list()\n"
  const ended = await runConsumer('consumer.mjs', `${start}${send}${slow}await sandbox.stop(); console.log('stopped')`)
  expect(ended).toEqual({ code: 0, stdout: 'stopped\n', stderr: '' })
})
