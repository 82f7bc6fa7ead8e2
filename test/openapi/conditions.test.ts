import { expect, test } from 'vitest'
import { readInterface } from '../../scripts/fuzz/document.ts'
import { ask } from '../http.ts'
import { agents, channels, contactOf, emails, phones, rcsText, templates } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const chip = { reply: { text: 'Yes', postback_data: 'eWVz' } }
const action = { action: { text: 'Call', dial: { phone_number: '+493023125001' } } }
const url = { url: 'https://example.com/' }
const rcs = { ...rcsText, to: phones.ordinary }
const mail = { channel_id: channels.email, to: emails.delivered, subject: 'Hi', content: { text: 'Hello' } }
const sms = { channel_id: channels.sms, to: phones.ordinary, content: { text: 'Hello' } }
const template = { template_id: templates.deliveryNotice, template_data: { name: 'Ada', eta: 'noon' } }
const saying = (content: object) => ({ ...rcs, content })
const chips = (...suggestions: object[]) => saying({ text: 'Hi', suggestions })
const card = (content: object) => saying({ rich_card: { standalone: { orientation: 'VERTICAL', content } } })
const { content: _, ...bare } = rcs
const { subject: __, ...withoutSubject } = mail
const consent = { channel_type: 'RCS', message_type: 'NEWSLETTER', status: 'GRANTED', source: 'form' }
const pending = { ...consent, status: 'PENDING', enforced_doi: true, doi_channel: 'RCS' }

const rule = { behaviour: { read: false } }
const MESSAGE = 'msg_00000000-0000-4000-8000-000000000001'

type Case = readonly [operation: string, path: string, good: object[], bad: object[]]

/** Rules about several fields. */
const cases: readonly Case[] = [
  [
    'messages.send',
    '/v1/messages',
    [
      rcs,
      { ...bare, ...template },
      mail,
      sms,
      { ...withoutSubject, content: { text: 'Hello', subject: 'Hi' } },
      chips(chip, action),
      chips({ action: { text: 'Open', open_url: url } }),
      card({ title: 'A' }),
      card({ media: { ...url, height: 'TALL' } }),
    ],
    [
      { ...rcs, channel_id: channels.email },
      { ...rcs, agent_id: undefined },
      { ...rcs, ...template },
      bare,
      { ...rcs, template_data: { name: 'Ada' } },
      { ...rcs, template_version: '1' },
      { ...rcs, message_type: undefined },
      { ...rcs, traffic_type: undefined },
      { ...rcs, to: emails.delivered },
      { ...rcs, to: '+49 171 3920050' },
      { ...rcs, subject: 'Hi' },
      saying({ text: 'Hi', html: '<p>Hi</p>' }),
      saying({}),
      chips({}),
      chips({ ...chip, ...action }),
      chips({ action: { text: 'Call' } }),
      chips({ action: { ...action.action, open_url: url } }),
      chips(...Array(12).fill(chip)),
      card({}),
      card({ suggestions: [chip] }),
      saying({ rich_card: {} }),
      saying({ text: 'Hi', rich_card: { standalone: { orientation: 'VERTICAL', content: { title: 'A' } } } }),
      saying({ rich_card: { carousel: { card_width: 'SMALL', cards: [{ title: 'A' }] } } }),
      saying({ text: 'x'.repeat(3_073) }),
      withoutSubject,
      { ...mail, content: { text: 'Hello', subject: 'Hi' } },
      { ...mail, content: { subject: 'Hi' } },
      { ...mail, content: { text: 'Hello', suggestions: [chip] } },
      { ...mail, message_type: 'CONVERSATION' },
      { ...rcs, ttl: '2592001s' },
      { ...rcs, ttl: '0s' },
    ],
  ],
  [
    'contacts.create',
    '/v1/contacts',
    [{ email: 'o.brien+x@example.com' }, { phone: '+493023125001', external_id: 'crm/7' }],
    [
      {},
      { first_name: 'Ada' },
      { phone: '0171' },
      { email: 'ada@' },
      { email: 'a@example.com', external_id: 'c_mine' },
      { email: 'a@example.com', external_id: 'import' },
    ],
  ],
  ['contacts.update', `/v1/contacts/${contactOf(0)}`, [{ first_name: null }], [{}]],
  [
    'consent.record',
    `/v1/contacts/${contactOf(0)}/consent`,
    [consent, pending, { ...consent, enforced_doi: false }],
    [
      { ...consent, status: 'PENDING' },
      { ...pending, status: 'GRANTED' },
      { ...pending, doi_channel: undefined },
      { ...consent, doi_channel: 'RCS' },
    ],
  ],
  [
    'webhooks.create',
    '/v1/webhooks',
    [
      { url: 'http://localhost:3000/', events: ['message.*', 'email.opened'] },
      { url: 'HTTPS://EXAMPLE.com/hook', events: ['*'] },
    ],
    [
      { url: 'http://localhost:3000/', events: [] },
      { url: 'http://localhost:3000/', events: ['message.red'] },
      { url: 'http://localhost:3000/', events: ['*', '*'] },
      { url: 'ftp://localhost/', events: ['*'] },
    ],
  ],
  [
    'billing.setAutoReload',
    '/v1/billing/auto-reload',
    [{ enabled: false }, { enabled: true, threshold: 20, amount: 100 }],
    [{ enabled: true }, { enabled: true, threshold: 20 }],
  ],
  ['billing.setAlerts', '/v1/billing/alerts', [{ enabled: true, threshold: 5 }], [{ enabled: true }]],
  ['agents.update', `/v1/rcs/agents/${agents.draft}`, [{ description: 'New' }], [{}, { region: 'EUROPE' }]],
  [
    'handsets.set',
    `/_sandbox/handsets/${encodeURIComponent(phones.ordinary)}`,
    [
      { outcome: 'failed', failure_reason: 'REJECTED_SPAM' },
      { outcome: null, failure_reason: null },
      { replies: 'Hi' },
      { replies: null, taps: 0 },
      { read: false, taps: null },
    ],
    [
      { replies: 'Hi', taps: 0 },
      { read: false, replies: 'Hi' },
      { read: false, taps: 0 },
      { outcome: 'failed', failure_reason: null },
      { outcome: 'delivered', failure_reason: 'REJECTED_SPAM' },
      { outcome: null, failure_reason: 'REJECTED_SPAM' },
    ],
  ],
  [
    'mailboxes.set',
    `/_sandbox/mailboxes/${emails.delivered}`,
    [{ opens: false, clicks: false }],
    [{ opens: false, clicks: true }],
  ],
  // In binary fractions, neither is a multiple of 0.0001.
  ['billing.setBalance', '/_sandbox/billing/balance', [{ free: 12.34 }, { free: 0.0003 }], [{ free: -1 }, {}]],
  ['clock.advance', '/_sandbox/clock/advance', [{ by: '2s' }, { next: true }], [{}, { by: '2s', next: true }]],
  [
    'clock.mode',
    '/_sandbox/clock/mode',
    [{ mode: 'scaled', factor: 60 }, { mode: 'frozen' }],
    [{ mode: 'scaled' }, { mode: 'frozen', factor: 60 }],
  ],
  [
    'rules.add',
    '/_sandbox/rules',
    [{ ...rule, position: 1 }, rule],
    [{ ...rule, position: 1, before: 'rul_00000000-0000-4000-8000-000000000001' }],
  ],
  [
    'agents.review',
    `/_sandbox/agents/${agents.draft}/review`,
    [{ outcome: 'rejected', reason: 'Blurred' }, { outcome: 'approved' }],
    [{ outcome: 'approved', reason: 'Blurred' }],
  ],
  [
    'faults.add',
    '/_sandbox/faults',
    [
      { routes: ['messages.send'], status: 503, retry_after: 5 },
      { routes: ['*'], latency: '2s', truncate: '50%' },
      { events: ['*'], drop: true, delay: '1m' },
      ...['120', '0%', '99.5%', 0.5].map((truncate) => ({ routes: ['*'], truncate })),
      ...['0.5%', '0.50', '50.0%', '100%', '1', 1e-7].map((share) => ({ routes: ['*'], status: 503, share })),
    ],
    [
      { status: 503 },
      { routes: ['*'], events: ['*'], status: 503 },
      { routes: ['*'] },
      { routes: ['*'], drop: true },
      { events: ['*'], drop: true, duplicate: true },
      { routes: ['*'], status: 503, reset: 'before' },
      { routes: ['*'], reset: 'before', retry_after: 5 },
      { routes: ['*'], limit: 5, share: 0.5 },
      { routes: ['*'], latency: '1s .. 2s' },
      ...['100%', '0x10', '1e3', ' 5', '0.5'].map((truncate) => ({ routes: ['*'], truncate })),
      ...['0%', '0.0', '007%', ' 50%', '50 %', '1.5', '101%'].map((share) => ({ routes: ['*'], status: 503, share })),
    ],
  ],
  [
    'events.trigger',
    '/_sandbox/trigger',
    [{ event: 'message.read', message_id: MESSAGE }],
    [
      { event: 'message.read' },
      { event: 'message.failed', message_id: MESSAGE },
      { event: 'message.read', message_id: MESSAGE, failure_reason: 'EXPIRED' },
      { event: 'email.clicked', message_id: MESSAGE, url: 'https://example.com/', index: 0 },
    ],
  ],
]

const calls = (['service', 'control'] as const).flatMap((part) => readInterface(part).calls)

test.each(cases)('the document of %s allows what the server takes, and forbids what it refuses', async (...row) => {
  const [id, path, good, bad] = row
  const { method, body } = calls.find((call) => call.id === id)!
  await using sandbox = await createSandbox()
  for (const [bodies, isAllowed] of [
    [good, true],
    [bad, false],
  ] as const)
    for (const one of bodies) {
      const text = JSON.stringify(one)
      const fault = body!.fault(JSON.parse(text))
      expect(fault === undefined, `${text}: ${fault}`).toBe(isAllowed)
      const { status, json } = await ask(sandbox, method, path, { body: text })
      // A valid request may still find no transport, or no money.
      expect(status === 400, `${text}: ${json.message}`).toBe(!isAllowed)
    }
})
