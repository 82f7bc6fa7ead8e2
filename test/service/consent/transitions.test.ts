import { expect, test } from 'vitest'
import type { Refusal, Sandbox } from '../../../src/index.ts'
import { consent } from '../../../src/service/consent/states.ts'
import { emptySandbox } from '../contacts/plain.ts'

const about = { channel_type: 'RCS', message_type: 'NEWSLETTER' } as const
const granted = { ...about, status: 'GRANTED', source: 'signup form' } as const
const pending = {
  ...about,
  status: 'PENDING',
  source: 'signup form',
  enforced_doi: true,
  doi_channel: 'EMAIL',
} as const

const START = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-01T01:00:00.000Z'

const STATES = ['NONE', 'GRANTED', 'PENDING', 'REVOKED'] as const
const TRIGGERS = ['grant', 'request', 'confirm', 'revoke'] as const

interface Subject {
  sandbox: Sandbox
  contactId: string
  recordId: string
}

/** A contact whose record is in a state since START, an hour ago. */
async function contactIn(sandbox: Sandbox, state: (typeof STATES)[number]): Promise<Subject> {
  const { client } = sandbox
  const { id: contactId } = await client.contacts.create({ email: 'ada@example.com' })
  let recordId = 'cr_00000000-0000-4000-8000-00000000dead'
  if (state !== 'NONE') recordId = (await client.consent.record(contactId, state === 'PENDING' ? pending : granted)).id
  if (state === 'REVOKED') await client.consent.revoke(contactId, recordId)
  await sandbox.clock.advance('1h')
  return { sandbox, contactId, recordId }
}

const triggers = {
  grant: ({ sandbox, contactId }: Subject) => sandbox.client.consent.record(contactId, granted),
  request: ({ sandbox, contactId }: Subject) => sandbox.client.consent.record(contactId, pending),
  confirm: ({ sandbox, contactId, recordId }: Subject) => sandbox.client.consent.confirm(contactId, recordId),
  revoke: ({ sandbox, contactId, recordId }: Subject) => sandbox.client.consent.revoke(contactId, recordId),
}

const isGranted = {
  status: 'GRANTED',
  enforced_doi: false,
  doi_status: null,
  doi_channel: null,
  granted_at: LATER,
  revoked_at: null,
}
const isPending = {
  status: 'PENDING',
  enforced_doi: true,
  doi_status: 'DOI_SEND',
  doi_channel: 'EMAIL',
  granted_at: null,
  revoked_at: null,
}

/** Interface §3.1 with its "existing record" spelt out: what the record is after the trigger, or the refusal. */
const outcomes: Record<(typeof STATES)[number], Record<(typeof TRIGGERS)[number], object | string>> = {
  NONE: { grant: isGranted, request: isPending, confirm: 'not_found', revoke: 'not_found' },
  GRANTED: {
    grant: isGranted,
    request: isPending,
    confirm: 'consent_not_pending',
    revoke: { status: 'REVOKED', doi_status: null, granted_at: START, revoked_at: LATER },
  },
  PENDING: {
    grant: isGranted,
    request: isPending,
    confirm: { ...isPending, status: 'GRANTED', doi_status: 'DOI_ACCEPTED', granted_at: LATER },
    revoke: { status: 'REVOKED', doi_status: 'DOI_SEND', granted_at: null, revoked_at: LATER },
  },
  REVOKED: {
    grant: isGranted,
    request: isPending,
    confirm: 'consent_not_pending',
    revoke: { status: 'REVOKED', granted_at: START, revoked_at: START },
  },
}

test.each(
  STATES.flatMap((state) => TRIGGERS.map((trigger) => ({ state, trigger, outcome: outcomes[state][trigger] }))),
)('in $state, $trigger has the outcome of the interface', async ({ state, trigger, outcome }) => {
  await using sandbox = await emptySandbox()
  const subject = await contactIn(sandbox, state)
  const before = await sandbox.client.consent.list(subject.contactId)

  if (typeof outcome === 'string') {
    await expect(triggers[trigger](subject)).rejects.toMatchObject({ code: outcome } satisfies Partial<Refusal>)
    expect(await sandbox.client.consent.list(subject.contactId)).toEqual(before)
    return
  }

  await triggers[trigger](subject)
  const { consent_records } = await sandbox.client.consent.list(subject.contactId)
  expect(consent_records).toHaveLength(1)
  expect(consent_records[0]).toMatchObject(outcome)
  if (state !== 'NONE') expect(consent_records[0]).toMatchObject({ id: subject.recordId, created_at: START })
})

test('the table has no state, trigger or row besides those proven above', () => {
  expect([...consent.states].sort()).toEqual([...STATES].sort())
  expect([...consent.triggers].sort()).toEqual([...TRIGGERS].sort())
  const accepted = STATES.flatMap((state) => TRIGGERS.filter((trigger) => typeof outcomes[state][trigger] === 'object'))
  expect(consent.steps).toHaveLength(accepted.length)
})

test('recording consent answers 201 the first time and 200 afterwards', async () => {
  await using sandbox = await emptySandbox()
  const { id } = await sandbox.client.contacts.create({ email: 'ada@example.com' })
  const post = () =>
    fetch(`${sandbox.url}/v1/contacts/${id}/consent`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(granted),
    })
  expect((await post()).status).toBe(201)
  expect((await post()).status).toBe(200)
})
