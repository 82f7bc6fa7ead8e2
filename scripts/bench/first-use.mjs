import { createSandbox } from '../../dist/index.js'

/** Measures the cost to each test file: loading the library, making a sandbox and sending a message. */
const sandbox = await createSandbox()
await sandbox.client.messages.send({
  agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
  to: '+491713920000',
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: 'Your order is on its way' },
})
process.exit()
