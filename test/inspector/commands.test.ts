import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import * as agentsActs from '../../src/inspector/agents/actions.ts'
import type { MessageAnswer } from '../../src/inspector/api/answers.ts'
import type { PageAction } from '../../src/inspector/api/page-action.ts'
import { commandOf } from '../../src/inspector/api/page-action.ts'
import * as attemptsActs from '../../src/inspector/attempts/actions.ts'
import * as billingActs from '../../src/inspector/billing/actions.ts'
import * as campaignsActs from '../../src/inspector/campaigns/actions.ts'
import * as composeActs from '../../src/inspector/compose/actions.ts'
import * as contactsActs from '../../src/inspector/contacts/actions.ts'
import * as handsetActs from '../../src/inspector/handset/actions.ts'
import * as mailboxActs from '../../src/inspector/mailbox/actions.ts'
import * as messagesActs from '../../src/inspector/messages/actions.ts'
import * as networkActs from '../../src/inspector/network/actions.ts'
import * as requestsActs from '../../src/inspector/requests/actions.ts'
import * as timeActs from '../../src/inspector/time/actions.ts'
import * as webhooksActs from '../../src/inspector/webhooks/actions.ts'
import * as worldsActs from '../../src/inspector/worlds/actions.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { leastAnswerTo } from '../stand-in/least-answer.ts'
import { urlOf } from '../url-of.ts'

const called = new Set<unknown>()
const makers: unknown[] = []

/** The same, noting which of them were called. */
function noted<M extends object>(module: M): M {
  const entries = Object.entries(module).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value]
    makers.push(value)
    return [
      name,
      (...args: unknown[]) => {
        called.add(value)
        return value(...args)
      },
    ]
  })
  return Object.fromEntries(entries) as M
}

const agents = noted(agentsActs)
const attempts = noted(attemptsActs)
const billing = noted(billingActs)
const campaigns = noted(campaignsActs)
const compose = noted(composeActs)
const contacts = noted(contactsActs)
const handset = noted(handsetActs)
const mailbox = noted(mailboxActs)
const messages = noted(messagesActs)
const network = noted(networkActs)
const requests = noted(requestsActs)
const time = noted(timeActs)
const webhooks = noted(webhooksActs)
const worlds = noted(worldsActs)

const U = '00000000-0000-4000-8000-000000000001'
const MSG = `msg_${U}`
const AGENT = `ag_live_${U}`
const PHONE = '+491713920050'
const MAIL = 'ada@example.com'

const rcs = {
  channel: 'RCS',
  agent_id: AGENT,
  to: PHONE,
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: "It's here", suggestions: [{ reply: { text: 'Thanks', postback_data: 'YQ==' } }] },
  ttl: '60s',
} as unknown as MessageAnswer
const email = {
  channel: 'EMAIL',
  channel_id: `ch_${U}`,
  to: MAIL,
  message_type: 'NEWSLETTER',
  traffic_type: null,
  content: { subject: 'Hello', html: '<p>Hi</p>' },
  ttl: null,
} as unknown as MessageAnswer

/** Every action of the page, with every variation of its command. */
const acts: PageAction[] = [
  messages.trigger(MSG, 'message.read'),
  messages.trigger(MSG, 'message.failed', 'REJECTED_SPAM'),
  messages.revoke(MSG),
  messages.resend(rcs),
  messages.resend(email),
  handset.reply(PHONE, AGENT, "Yes, it's fine"),
  handset.reply(PHONE, AGENT, '- milk'),
  handset.tap(PHONE, MSG, 2),
  ...(['on', 'rcs_capable', 'read_receipts'] as const).flatMap((what) => [
    handset.turn(PHONE, what, true),
    handset.turn(PHONE, what, false),
  ]),
  handset.answerWith(PHONE, 'STOP it'),
  handset.answerWith(PHONE, ''),
  handset.resetHandset(PHONE),
  mailbox.open(MAIL, MSG),
  mailbox.click(MAIL, MSG, 1),
  mailbox.bounce(MAIL, MSG, 'soft'),
  mailbox.complain(MAIL, MSG),
  mailbox.unsubscribe(MAIL, MSG),
  mailbox.resetMailbox(MAIL),
  mailbox.behave(MAIL, 'opens', true),
  mailbox.behave(MAIL, 'complains', false),
  time.advance('24h'),
  time.advanceTo('2027-01-01T00:00:00.000Z'),
  time.advanceToNext(),
  time.setMode('frozen'),
  time.scale(60),
  network.outage('nordfunk', true),
  network.outage('nordfunk', false),
  network.resetCarrier('nordfunk'),
  network.moveRule(`rule_${U}`, 1),
  network.removeRule(`rule_${U}`),
  network.clearRules(),
  network.removeFault(`fault_${U}`),
  network.clearFaults(),
  campaigns.trigger(U),
  campaigns.run(U),
  campaigns.pause(U),
  campaigns.resume(U),
  campaigns.failProvider(U),
  agents.submit(AGENT),
  agents.review(AGENT, 'rejected'),
  agents.suspend(AGENT),
  agents.reinstate(AGENT),
  agents.setLaunch(AGENT, 'nordfunk', 'LAUNCHED'),
  billing.topUp(50),
  contacts.grant(`c_${U}`, 'RCS', 'NEWSLETTER'),
  contacts.revokeConsent(`c_${U}`, `cr_${U}`),
  contacts.confirmConsent(`c_${U}`, `cr_${U}`),
  contacts.setStatus(`c_${U}`, 'BLOCKED'),
  contacts.removeContact(`c_${U}`),
  webhooks.test(U),
  webhooks.remove(U),
  webhooks.rotateSecret(U),
  attempts.replay(`evt_${U}`),
  attempts.replay(`evt_${U}`, U),
  requests.clear(),
  compose.send({ to: PHONE, content: { text: "It's here" } }),
  worlds.reset('ada', 'messages'),
  worlds.remove('ada'),
  worlds.create('ada'),
  worlds.save('before'),
  worlds.save('it is before', 'ada'),
  worlds.restore('before'),
  worlds.removeSnapshot('before'),
]

/** Splits a line like a shell. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s'"\\]|\\.|'[^']*')+/g)].map(([word]) =>
    word.replace(/\\(.)|'([^']*)'/g, (_, escaped?: string, quoted?: string) => escaped ?? quoted ?? ''),
  )

/** Acts as a sandbox: answers and records every request. */
async function recorder() {
  const received: unknown[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    if (req.url === '/_sandbox/health') return void res.end('{"status":"ok","version":"0.1.0"}')
    received.push({ method: req.method, path: req.url, body: text ? JSON.parse(text) : undefined })
    const answer = JSON.stringify(leastAnswerTo(req.method!, req.url!))
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
  })
  return { received, url: await urlOf(server) }
}

test.each(acts.map((act) => [commandOf(act), act] as const))('%s', async (command, act) => {
  const { received, url } = await recorder()
  const [program, ...argv] = wordsOf(command)
  expect(program).toBe('sandbox')
  const { code } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: url } })
  expect({ code, received }).toEqual({ code: 0, received: [JSON.parse(JSON.stringify(act.request))] })
})

test('every action of the page is tested above', () => {
  expect(makers.filter((maker) => !called.has(maker))).toEqual([])
  expect(makers.length).toBeGreaterThan(50)
})
