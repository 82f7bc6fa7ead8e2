import { createSandbox } from '../../dist/index.js'

/** What every file of tests pays: the library is read, a sandbox made, and a message sent. */
const sandbox = await createSandbox()
await sandbox.client.messages.send({
  agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
  to: '+491713920000',
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: 'Your order is on its way' },
})
process.exit()
