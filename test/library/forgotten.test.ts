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

test('whoever stops it, or waits for an answer, gets to the next line', async () => {
  const slow =
    "await sandbox.client.faults.add({ routes: ['GET:/v1/messages'], latency: '200ms' }); await sandbox.client.messages.list()\n"
  const ended = await runConsumer('consumer.mjs', `${start}${send}${slow}await sandbox.stop(); console.log('stopped')`)
  expect(ended).toEqual({ code: 0, stdout: 'stopped\n', stderr: '' })
})
