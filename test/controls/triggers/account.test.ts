import { expect, test } from 'vitest'
import type { TriggerName } from '../../../src/controls/triggers/table.ts'
import type { Refusal, TriggerFields } from '../../../src/index.ts'
import { agent } from '../../../src/service/agents/states.ts'
import { campaign } from '../../../src/service/campaigns/states.ts'
import { consent } from '../../../src/service/consent/states.ts'
import { worldLikeDefault } from '../../folder.ts'
import { agents, campaigns, channels, emailOptIn, phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { agentIn, ways } from '../../service/agents/agent.ts'
import { define, end, notice, wait } from '../../service/campaigns/campaign.ts'

const refusal = (attempt: Promise<unknown>): Promise<Refusal> =>
  attempt.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: Refusal) => error,
  )

/** Written by hand: the new state for each event and state; all other pairs are refused. */
const AGENT: Partial<Record<TriggerName, Record<string, string>>> = {
  'agent.approved': { PENDING_REVIEW: 'APPROVED', APPROVED: 'already' },
  'agent.rejected': { PENDING_REVIEW: 'REJECTED', REJECTED: 'already' },
  'agent.launched': { APPROVED: 'LAUNCHED' },
  'agent.suspended': { APPROVED: 'SUSPENDED', SUSPENDED: 'already' },
  'agent.reinstated': { SUSPENDED: 'APPROVED', APPROVED: 'already' },
}

test('every agent event on an agent in every state moves it by the table, or names the state that it needs', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  expect(Object.keys(ways).sort()).toEqual([...agent.states].sort())
  for (const [event, expected] of Object.entries(AGENT) as [TriggerName, Record<string, string>][])
    for (const state of agent.states) {
      const agent_id = await agentIn(sandbox, state)
      const fields: TriggerFields = { agent_id, ...(event === 'agent.launched' ? { carrier: 'nordfunk' } : {}) }
      const seen = async () => [await client.agents.get(agent_id), await client.events.list({ limit: 1000 })]
      const before = await seen()
      const about = `${event} on ${state}`
      const to = expected[state]
      if (to && to !== 'already') {
        const done = await sandbox.trigger(event, fields)
        expect(done, about).toMatchObject({ event, subject_type: 'agent', subject: agent_id, to })
        if (event !== 'agent.launched') expect(await client.agents.get(agent_id), about).toMatchObject({ status: to })
        const expected = { 'agent.suspended': [], 'agent.reinstated': [] }[event as string] ?? [event]
        expect(
          done.events.map((one) => one.event),
          about,
        ).toEqual(expected)
        continue
      }
      const { body, message } = await refusal(sandbox.trigger(event, fields))
      expect(body, about).toMatchObject({
        error: 'trigger_precondition_failed',
        details: [{ field: 'agent_id', code: to ?? 'wrong_state' }],
        event,
        subject: agent_id,
        state,
      })
      expect(message, about).toContain(state)
      expect(await seen(), about).toEqual(before)
    }
  const draft = await agentIn(sandbox, 'DRAFT')
  expect((await refusal(sandbox.trigger('agent.approved', { agent_id: draft }))).message).toContain(
    `sandbox agents submit ${draft}`,
  )
})

test('an agent is rejected for a reason, submitted again, approved, and goes live carrier by carrier', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const agent_id = await agentIn(sandbox, 'PENDING_REVIEW')
  await sandbox.trigger('agent.rejected', { agent_id, rejection_reason: 'The logo cannot be read.' })
  expect(await client.agents.get(agent_id)).toMatchObject({ rejection_reason: 'The logo cannot be read.' })
  await client.agents.submit(agent_id)
  await sandbox.trigger('agent.approved', { agent_id })
  const launched = await sandbox.trigger('agent.launched', { agent_id, carrier: 'alpentel' })
  expect(launched).toMatchObject({ from: 'PENDING', to: 'LAUNCHED', events: [{ event: 'agent.launched' }] })
  expect((await refusal(sandbox.trigger('agent.launched', { agent_id, carrier: 'alpentel' }))).body).toMatchObject({
    state: 'LAUNCHED',
    details: [{ code: 'already' }],
  })
  expect((await refusal(sandbox.trigger('agent.launched', { agent_id, carrier: 'alpentl' }))).message).toContain(
    'did you mean "alpentel"?',
  )
  await clock.advance('1m')
  const { events } = await client.events.list({ event: 'agent.launched', subject: agent_id })
  expect(events).toHaveLength(3)
  expect(
    (await refusal(sandbox.trigger('agent.approved', { agent_id: 'ag_live_00000000-0000-4000-8000-00000000dead' })))
      .status,
  ).toBe(404)
})

test('double opt-in is confirmed from PENDING alone, by the record or by its contact', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  expect([...consent.states].sort()).toEqual(['GRANTED', 'NONE', 'PENDING', 'REVOKED'])
  const { id } = await client.contacts.create({ email: 'ada@example.com', external_id: 'ada-1' })
  expect((await refusal(sandbox.trigger('consent.confirmed', { contact_id: 'ada-1' }))).body).toMatchObject({
    details: [{ code: 'none_pending' }],
  })
  const record = await client.consent.record(id, emailOptIn)
  const done = await sandbox.trigger('consent.confirmed', { contact_id: 'ada-1' })
  expect(done).toMatchObject({
    subject_type: 'consent',
    subject: record.id,
    from: 'PENDING',
    to: 'GRANTED',
    events: [{ event: 'consent.updated' }],
  })
  expect((await client.consent.list(id)).consent_records).toMatchObject([
    { status: 'GRANTED', doi_status: 'DOI_ACCEPTED', granted_at: done.at },
  ])
  const again = await refusal(sandbox.trigger('consent.confirmed', { consent_record_id: record.id }))
  expect(again.body).toMatchObject({ details: [{ code: 'already' }], state: 'GRANTED', needs: ['PENDING'] })
  await client.consent.revoke(id, record.id)
  const revoked = await refusal(sandbox.trigger('consent.confirmed', { consent_record_id: record.id }))
  expect(revoked.body).toMatchObject({ details: [{ code: 'wrong_state' }], state: 'REVOKED', needs: ['PENDING'] })

  await client.consent.record(id, emailOptIn)
  const other = await client.consent.record(id, { ...emailOptIn, message_type: 'MESSAGE' })
  const several = await refusal(sandbox.trigger('consent.confirmed', { contact_id: id }))
  expect(several.body).toMatchObject({ details: [{ code: 'several_pending' }] })
  expect(several.message).toContain(other.id)
  expect(await sandbox.trigger('consent.confirmed', { consent_record_id: other.id })).toMatchObject({ to: 'GRANTED' })
  for (const fields of [{ consent_record_id: 'cr_00000000-0000-4000-8000-00000000dead' }, { contact_id: 'nobody' }])
    expect((await refusal(sandbox.trigger('consent.confirmed', fields))).status).toBe(404)
})

test('a confirmation that has expired is not confirmed', async () => {
  const world = await worldLikeDefault((file) => {
    file.consent = { doi_expires_after: '1h' }
  })
  await using sandbox = await createSandbox({ world })
  const { id } = await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.client.consent.record(id, emailOptIn)
  await sandbox.clock.advance('1h')
  expect((await refusal(sandbox.trigger('consent.confirmed', { contact_id: id }))).body).toMatchObject({
    error: 'trigger_precondition_failed',
    state: 'PENDING',
    details: [{ code: 'doi_expired' }],
  })
})

test('a user replies or taps, which needs a message that has arrived', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const suggestions = [{ reply: { text: 'Yes', postback_data: 'eWVz' } }]
  const send = async (content: object) =>
    (await client.messages.send({ ...rcsText, to: phones.off, content: content as { text: string } })).message_id
  const message_id = await send({ text: 'Hello?', suggestions })
  const nobody = await refusal(sandbox.trigger('conversation.started', { phone: phones.off, text: 'Hi' }))
  expect(nobody.body).toMatchObject({ details: [{ field: 'phone', code: 'nothing_to_answer' }] })
  const early = await refusal(sandbox.trigger('conversation.started', { message_id, text: 'Hi' }))
  expect(early.body).toMatchObject({
    state: 'queued',
    needs: ['delivered', 'read'],
    details: [{ code: 'wrong_state' }],
  })
  await sandbox.trigger('message.delivered', { message_id })

  const reply = await sandbox.trigger('conversation.started', { message_id, text: 'Hi' })
  expect(reply).toMatchObject({
    subject_type: 'conversation',
    subject: `${agents.multi} ${phones.off}`,
    from: 'none',
    to: 'open',
    steps: [{ trigger: 'reply' }],
    events: [{ event: 'conversation.started' }],
  })
  expect(await client.messages.get(reply.message_id!)).toMatchObject({ direction: 'INBOUND', content: { text: 'Hi' } })
  const tap = await sandbox.trigger('conversation.started', { phone: phones.off, agent_id: agents.multi, index: 0 })
  expect(tap).toMatchObject({ from: 'open', to: 'open', steps: [{ trigger: 'tap' }] })
  const { events } = await client.events.list({ event: 'conversation.started' })
  expect(events[1]!.data).toMatchObject({
    user_message: { type: 'suggested_reply', text: 'Yes', postback_data: 'eWVz' },
  })
  expect((await refusal(sandbox.trigger('conversation.started', { message_id, index: 1 }))).body).toMatchObject({
    error: 'trigger_precondition_failed',
    details: [{ code: 'nothing_to_answer' }],
  })
  const mail = await client.messages.send({
    channel_id: channels.email,
    to: 'ada@example.com',
    subject: 'Hi',
    content: { text: 'Hi' },
  })
  for (const id of [mail.message_id, reply.message_id!])
    expect((await refusal(sandbox.trigger('conversation.started', { message_id: id, text: 'Hi' }))).code).toBe(
      'trigger_precondition_failed',
    )
})

test('a session ends before its time, once', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  expect((await refusal(sandbox.trigger('conversation.ended', { phone: phones.off }))).body).toMatchObject({
    state: 'none',
    details: [{ code: 'no_session' }],
  })
  for (const agent_id of [agents.multi, agents.transactional]) {
    const { message_id } = await client.messages.send({ ...rcsText, agent_id, to: phones.off })
    await sandbox.trigger('message.delivered', { message_id })
    await sandbox.trigger('conversation.started', { message_id, text: 'Hi' })
  }
  const which = await refusal(sandbox.trigger('conversation.ended', { phone: phones.off }))
  expect(which.body).toMatchObject({ details: [{ code: 'several_sessions' }] })
  expect(which.message).toContain(agents.transactional)
  await clock.advance('1h')
  const done = await sandbox.trigger('conversation.ended', { phone: phones.off, agent_id: agents.multi })
  expect(done).toMatchObject({ from: 'open', to: 'none', events: [{ event: 'conversation.ended' }] })
  await expect(
    client.messages.send({ ...rcsText, message_type: 'CONVERSATION', to: phones.off }),
  ).rejects.toMatchObject({ code: 'no_active_session' })
  expect(await sandbox.trigger('conversation.ended', { phone: phones.off })).toMatchObject({
    subject: `${agents.transactional} ${phones.off}`,
  })
  await clock.advance('2d')
  expect((await client.events.list({ event: 'conversation.ended' })).events.map(({ timestamp }) => timestamp)).toEqual([
    done.at,
    done.at,
  ])
})

test('a campaign is paused by its circuit breaker or an insufficient balance only while RUNNING, and can continue', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  for (const [event, paused] of [
    ['campaign.paused_error', 'PAUSED_ERROR'],
    ['campaign.paused_balance', 'PAUSED_BALANCE'],
  ] as const) {
    const campaign_id = await define(sandbox, [notice, wait('1h'), end])
    const refused = async (code: string) => {
      const { status } = await client.campaigns.status(campaign_id)
      expect((await refusal(sandbox.trigger(event, { campaign_id }))).body).toMatchObject({
        error: 'trigger_precondition_failed',
        state: status,
        needs: ['RUNNING'],
        details: [{ field: 'campaign_id', code }],
      })
    }
    await refused('wrong_state')
    await client.campaigns.trigger(campaign_id)
    expect(await sandbox.trigger(event, { campaign_id })).toMatchObject({
      subject: campaign_id,
      from: 'RUNNING',
      to: paused,
      events: [{ event: 'campaign.paused' }],
    })
    expect(await client.campaigns.status(campaign_id)).toMatchObject({ status: paused, pause_reason: paused })
    await refused('already')
    await clock.advance('2h')
    expect((await client.campaigns.status(campaign_id)).counts).toMatchObject({ completed: 0 })
    await client.campaigns.resume(campaign_id)
    await clock.advance('1d')
    expect(await client.campaigns.status(campaign_id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 3 } })
    await refused('wrong_state')
  }
  const before = campaign.steps.filter(({ on }) => on === 'break' || on === 'exhaust').map(({ from }) => from)
  expect(before).toEqual(['RUNNING', 'RUNNING'])
  expect(
    (await refusal(sandbox.trigger('campaign.paused_error', { campaign_id: campaigns.scheduled }))).body,
  ).toMatchObject({
    state: 'SCHEDULED',
  })
})
