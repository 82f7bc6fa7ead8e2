import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { withConditions, withRules } from '../../words/field-conditions.ts'
import { Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { Phone } from '../../words/phone.ts'
import { TEST_AGENT_ID } from '../agents/contract.ts'
import { oneContent, rcsContent } from '../messages/channels/send-conditions.ts'
import { SendResponse, sendFields } from '../messages/contract.ts'

export const about: About = {
  name: 'testAgent',
  group: 'Account',
  summary: 'Send a few messages to your own phone with the Test Agent',
}

/** Interface §8. */
export const MESSAGES_PER_NUMBER = 5

const phone = Phone.describe('Your own phone number, in international format.')

const TestStatus = z
  .strictObject({
    phone: z.string().nullable().describe('Phone number registered with this key, E.164, or null.'),
    verified: z.boolean().describe('Whether the number is verified.'),
    code_expires_at: Timestamp.nullable().describe('Expiry of the code; null without a pending code.'),
    verified_at: Timestamp.nullable().describe('Time of the verification.'),
    messages_used: z.int().describe('Number of messages sent by the Test Agent to this number.'),
    messages_left: z
      .int()
      .describe('Number of remaining messages. Each number gets 5, however often it is registered.'),
  })
  .meta({ id: 'TestAgentStatus', description: 'Status of the registration of a phone with the Test Agent.' })

export const registerPhone = operation({
  id: 'testAgent.register',
  section: '4.3',
  summary: 'Register your phone with the Test Agent',
  details: 'The Test Agent sends a six-digit code to the phone.',
  call: 'POST /v1/test/register',
  body: z.strictObject({ phone }),
  examples: [{ phone: '+491713920050' }],
  output: TestStatus,
  status: 202,
  choice: true,
})

export const verifyPhone = operation({
  id: 'testAgent.verify',
  section: '4.3',
  summary: 'Verify your phone with the code sent to it',
  call: 'POST /v1/test/verify',
  body: z
    .strictObject({
      phone,
      code: z
        .string()
        .regex(/^\d{6}$/, 'must be six digits')
        .describe('Code of six digits.'),
    })
    .meta({ example: { phone: '+491713920050', code: '123456' } }),
  output: TestStatus,
  problems: ['invalid_code', 'code_expired'],
  choice: true,
})

/** An RCS template of the default world. */
const RCS_TEMPLATE = 'tpl_00000000-0000-4000-8000-000000000002'

const { agent_id: _, channel_id: __, subject: ___, ...carried } = sendFields

export const sendTestMessage = operation({
  id: 'testAgent.send',
  section: '4.3',
  summary: 'Send a message from the Test Agent to your verified phone',
  call: 'POST /v1/test/messages',
  body: withConditions(
    withRules(
      z.strictObject({
        ...carried,
        agent_id: z
          .literal(TEST_AGENT_ID, `must be the Test Agent, ${TEST_AGENT_ID}, or left out`)
          .optional()
          .describe('Id of the Test Agent; optional, because it is always the sender.'),
        to: Phone.describe('Recipient: the verified phone number.'),
        message_type: z
          .enum(['MESSAGE', 'CONVERSATION'])
          .default('MESSAGE')
          .describe('Message type. NEWSLETTER needs your own agent.'),
        traffic_type: carried.traffic_type.unwrap(),
        template_id: carried.template_id.meta({ example: RCS_TEMPLATE }),
      }),
      ...oneContent('template_version', 'template_data'),
    ),
    { properties: { content: rcsContent } },
  ).meta({ example: { to: '+491713920000', traffic_type: 'TRANSACTION', content: { text: 'Hello' } } }),
  output: SendResponse,
  band: 'send',
  idempotency: 'uuid',
  problems: [
    'not_found',
    'template_data_missing',
    'test_agent_forbidden',
    'test_agent_limit_reached',
    'recipient_suppressed',
    'consent_revoked',
    'no_active_session',
    'device_not_rcs_capable',
    'insufficient_balance',
    'idempotency_key_reused',
  ],
  choice: true,
})

export const showTestAgent = operation({
  id: 'testAgent.status',
  section: '4.3',
  summary: 'Show the registered phone and the remaining messages',
  call: 'GET /v1/test/status',
  output: TestStatus,
  choice: true,
})
