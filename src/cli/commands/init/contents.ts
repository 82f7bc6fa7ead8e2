import { DEFAULT_API_KEY } from '../../../words/api-key.ts'
import { DEFAULT_BASE_URL } from '../../../words/default-url.ts'

export interface ProjectOptions {
  phone: string | undefined
  receiverPort: number
  /** The signing secret. */
  secret: string
}

/** The contents of each file by its name. */
export const contentsOf = (options: ProjectOptions): Readonly<Record<string, string>> => ({
  'world.yaml': worldFile(options),
  '.env': environment(options),
  'receiver.mjs': receiver(options),
})

const worldFile = ({
  phone,
}: ProjectOptions) => `# Initial state of the sandbox. Start with it: sandbox start --world world.yaml
# Check it: sandbox world validate world.yaml. All fields: fixtures/worlds/schema.json of messaging-sandbox.
description: The world of this project.
seed: my-project

billing:
  balance: 100

agents:
  # The agent that sandbox send uses by default.
  - agent_id: ag_live_00000000-0000-4000-8000-000000000001
    use_case: MULTI_USE
    display_name: My brand
    newsletter_enabled: true

channels:
  - channel_id: ch_00000000-0000-4000-8000-000000000001
    type: EMAIL
    name: My mail

# Phone numbers with a fixed outcome. Numbers of the block +49 171 39200 NN have no subscribers.
magic_recipients:
  - { address: "+491713920000", does: 'delivered, then read', outcome: delivered, read: true }
  - { address: "+491713920013", does: 'fails with REJECTED_SPAM', outcome: failed, failure_reason: REJECTED_SPAM }

contacts:
${[phone, '+491713920000', '+491713920013'].flatMap((one) => (one ? [contact(one, one === phone ? 'me' : `magic-${one.slice(-2)}`)] : [])).join('\n')}
`

const contact = (phone: string, name: string) => `  - phone: "${phone}"
    external_id: ${name}
    consent:
      - { channel_type: RCS, message_type: MESSAGE, status: GRANTED, source: world file }
      - { channel_type: RCS, message_type: NEWSLETTER, status: GRANTED, source: world file }`

const environment = ({
  receiverPort,
  secret,
}: ProjectOptions) => `# Read by node --env-file=.env. Keep it out of version control.
SANDBOX_BASE_URL=${DEFAULT_BASE_URL}
SANDBOX_API_KEY=${DEFAULT_API_KEY}
# The secret of webhook signatures. sandbox listen reads it from its environment too.
SANDBOX_WEBHOOK_SECRET=${secret}
PORT=${receiverPort}
`

const receiver = ({
  receiverPort,
}: ProjectOptions) => `// Receives webhooks: verifies the raw bytes, processes each event once, and answers 200.
//   node --env-file=.env receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.SANDBOX_WEBHOOK_SECRET
if (!secret) {
  console.error('SANDBOX_WEBHOOK_SECRET is not set. Start with: node --env-file=.env receiver.mjs')
  process.exit(1)
}
const seen = new Set()

function isSigned(body, header = '') {
  const right = Buffer.from(\`sha256=\${createHmac('sha256', secret).update(body).digest('hex')}\`)
  const signature = Buffer.from(header)
  return signature.length === right.length && timingSafeEqual(signature, right)
}

createServer(async (request, response) => {
  const pieces = []
  try {
    for await (const piece of request) pieces.push(piece)
  } catch {
    return // the sender closed the connection; it sends the event again
  }
  const body = Buffer.concat(pieces)
  if (!isSigned(body, request.headers['x-service-signature'])) return response.writeHead(401).end()
  const event = JSON.parse(body)
  if (!seen.has(event.id)) {
    seen.add(event.id) // in a real application: in the transaction of the work
    console.log(event.event, event.data)
  }
  response.writeHead(200).end()
}).listen(process.env.PORT ?? ${receiverPort}, () => console.log('waiting for webhooks at http://localhost:' + (process.env.PORT ?? ${receiverPort}) + '/hook'))
`
