import { expect, test } from 'vitest'
import { createProgram } from '../../../src/cli/program.ts'
import type { Run } from '../../../src/cli/session/session.ts'
import { statesBefore } from '../../../src/controls/triggers/rules.ts'
import {
  allowedWith,
  entryOf,
  MESSAGE_TRIGGERS,
  madeBy,
  PROGRESS,
  type TriggerName,
  triggerNames,
} from '../../../src/controls/triggers/table.ts'
import { agent } from '../../../src/service/agents/states.ts'
import { eventNames } from '../../../src/service/events/catalogue.ts'
import { emailMessage } from '../../../src/service/messages/channels/email.states.ts'
import { rcsMessage } from '../../../src/service/messages/channels/rcs.states.ts'
import { smsMessage } from '../../../src/service/messages/channels/sms.states.ts'
import { ask, everythingOf } from '../../http.ts'
import { uuid } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const triggerBy = (sandbox: Sandbox, body: unknown) => ask(sandbox, 'POST', '/_sandbox/trigger', { body })

test('an unknown event is refused with the nearest, or with all there are', async () => {
  await using sandbox = await createSandbox()
  const near = await triggerBy(sandbox, { event: 'message.raed', message_id: `msg_${uuid(1)}` })
  expect(near).toMatchObject({
    status: 400,
    json: { error: 'validation_error', details: [{ field: 'event', code: 'unknown_event' }] },
  })
  expect(near.json.message).toContain('did you mean "message.read"?')
  const far = await triggerBy(sandbox, { event: 'xyz' })
  for (const name of triggerNames) expect(far.json.message).toContain(name)
  const sibling = await triggerBy(sandbox, { event: 'message.foo' })
  expect(sibling.json.message).toContain('message.expired')
  expect(sibling.json.message).not.toContain('message.queued')
  for (const body of [{}, { event: 5 }, [], null, { event: 'toString' }, { event: '__proto__' }])
    expect((await triggerBy(sandbox, body)).status).toBe(400)
})

test('every event of the catalogue can be triggered, or is refused with what makes it', async () => {
  await using sandbox = await createSandbox()
  const before = await everythingOf(sandbox.client)
  for (const name of eventNames) {
    if ((triggerNames as readonly string[]).includes(name)) continue
    const { status, json } = await triggerBy(sandbox, { event: name })
    expect(status, name).toBe(400)
    expect(json, name).toMatchObject({ details: [{ field: 'event', code: 'not_triggerable' }] })
    expect(json.message, name).toContain(madeBy[name as keyof typeof madeBy])
  }
  expect(await everythingOf(sandbox.client)).toEqual(before)
})

test('the commands that refusals name exist', async () => {
  const program = await createProgram([], { io: {}, output: {}, exit: 0 } as unknown as Run)
  const named = Object.values(madeBy).flatMap((text) => [...text.matchAll(/sandbox ([a-z-]+)(?: ([a-z-]+))?/g)])
  expect(named.length).toBeGreaterThanOrEqual(Object.keys(madeBy).length)
  for (const [line, first, second] of named) {
    const command = program.commands.find((one) => one.name() === first)
    expect(command, line).toBeDefined()
    if (command!.commands.length > 0)
      expect(
        command!.commands.map((one) => one.name()),
        line,
      ).toContain(second)
  }
})

/** Something valid for every field. */
const VALUES = {
  message_id: `msg_${uuid(1)}`,
  agent_id: `ag_live_${uuid(99)}`,
  consent_record_id: `cr_${uuid(1)}`,
  contact_id: 'nobody',
  campaign_id: uuid(1),
  phone: '+491713920050',
  failure_reason: 'REJECTED_SPAM',
  rejection_reason: 'No logo',
  bounce_type: 'soft',
  url: 'https://example.com',
  index: 0,
  text: 'Hi',
  carrier: 'nordfunk',
}
type Field = keyof typeof VALUES

test('each event takes its own fields: one of each group it needs, and no other', async () => {
  await using sandbox = await createSandbox()
  for (const event of triggerNames) {
    const { one, may = [] } = entryOf(event)
    const least = Object.fromEntries(one.map(([field]) => [field, VALUES[field!]]))
    // Nothing of this exists, so a request that is understood is a 404, or a 409 where there is nothing on the phone.
    expect([404, 409], event).toContain((await triggerBy(sandbox, { event, ...least })).status)
    for (const group of one) {
      const { [group[0]!]: _, ...rest } = least
      const { status, json } = await triggerBy(sandbox, { event, ...rest })
      expect([status, json.error], `${event} without ${group}`).toEqual([400, 'validation_error'])
      expect(json.details, event).toMatchObject([{ field: group[0], code: 'required' }])
    }
    for (const group of [...one, ...may].filter((fields) => fields.length > 1)) {
      const both = Object.fromEntries(group.map((field) => [field, VALUES[field]]))
      expect((await triggerBy(sandbox, { event, ...least, ...both })).json.details, `${event} ${group}`).toMatchObject([
        { field: group[1], code: 'conflict' },
      ])
    }
    const allowed = allowedWith(event)
    for (const field of Object.keys(VALUES) as Field[]) {
      if (allowed.includes(field)) continue
      const { json } = await triggerBy(sandbox, { event, ...least, [field]: VALUES[field] })
      expect(json.details, `${event} with ${field}`).toMatchObject([{ field, code: 'conflict' }])
    }
    const { json } = await triggerBy(sandbox, { event, ...least, mesage_id: 'x' })
    expect(json.message, event).toContain('did you mean "message_id"?')
  }
})

const WAYS: Partial<Record<TriggerName, string>> = {
  ...MESSAGE_TRIGGERS,
  'agent.approved': 'approve',
  'agent.rejected': 'reject',
  'agent.suspended': 'suspend',
  'agent.reinstated': 'reinstate',
}
const TABLES = { RCS: rcsMessage, SMS: smsMessage, EMAIL: emailMessage }

test('the conditions in --list equal those of the state tables', () => {
  for (const [event, trigger] of Object.entries(WAYS) as [TriggerName, string][]) {
    const { channels, needs } = entryOf(event)
    const tables = channels ? channels.map((channel) => TABLES[channel]) : [agent]
    for (const table of tables) {
      const named = table.states.filter((state) => new RegExp(`\\b${state}\\b`).test(needs))
      expect(named.toSorted(), event).toEqual(
        statesBefore(table as never, trigger, channels ? PROGRESS : []).toSorted(),
      )
    }
  }
})
