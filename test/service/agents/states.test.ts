import { expect, test } from 'vitest'
import { agent } from '../../../src/service/agents/states.ts'
import { ask } from '../../http.ts'
import { createSandbox } from '../../sandbox.ts'
import { agentIn } from './agent.ts'

/** Choices, "Agents", by hand: what each state answers to each trigger. What is not here is refused. */
const EXPECTED: Record<string, Record<string, readonly [to: string, ...effects: string[]]>> = {
  DRAFT: { edit: ['DRAFT'], submit: ['PENDING_REVIEW', 'stamp submitted', 'schedule review'] },
  PENDING_REVIEW: {
    approve: ['APPROVED', 'cancel timer', 'stamp approved', 'open channel', 'emit approved', 'ask carriers'],
    reject: ['REJECTED', 'cancel timer', 'stamp rejected', 'emit rejected'],
  },
  REJECTED: {
    edit: ['REJECTED'],
    submit: ['PENDING_REVIEW', 'clear rejection', 'stamp submitted', 'schedule review'],
  },
  APPROVED: { suspend: ['SUSPENDED', 'cancel timer', 'suspend launches'] },
  SUSPENDED: { reinstate: ['APPROVED', 'resume launches'] },
}

const STATES = Object.keys(EXPECTED)
const TRIGGERS = ['edit', 'submit', 'approve', 'reject', 'suspend', 'reinstate'] as const
const cases = STATES.flatMap((state) => TRIGGERS.map((trigger) => ({ state, trigger })))

test.each(cases)('$trigger on a $state agent follows the state table', ({ state, trigger }) => {
  const step = agent.next(state, trigger)
  expect(step && [step.to, ...step.effects]).toEqual(EXPECTED[state]![trigger])
})

test('the table has no other state or trigger', () => {
  expect([...agent.states].sort()).toEqual([...STATES].sort())
  expect([...agent.triggers].sort()).toEqual([...TRIGGERS].sort())
})

/** The request behind each trigger, and the code that refuses it. */
const requests: Record<
  (typeof TRIGGERS)[number],
  readonly [method: string, path: string, body: object | undefined, code: string]
> = {
  edit: ['PATCH', '/v1/rcs/agents/ID', { color: '#0B5FFF' }, 'agent_not_editable'],
  submit: ['POST', '/v1/rcs/agents/ID/submit', undefined, 'agent_not_submittable'],
  approve: ['POST', '/_sandbox/agents/ID/review', { outcome: 'approved' }, 'agent_state_conflict'],
  reject: ['POST', '/_sandbox/agents/ID/review', { outcome: 'rejected' }, 'agent_state_conflict'],
  suspend: ['POST', '/_sandbox/agents/ID/suspend', undefined, 'agent_state_conflict'],
  reinstate: ['POST', '/_sandbox/agents/ID/reinstate', undefined, 'agent_state_conflict'],
}

test('each trigger that the table lacks is a 409 which names the status and changes nothing', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  for (const { state, trigger } of cases) {
    const id = await agentIn(sandbox, state)
    const [method, path, body, code] = requests[trigger]
    const seen = async () => [
      await client.agents.get(id),
      await client.agents.launch(id),
      await client.events.list({ limit: 1000 }),
    ]
    const before = await seen()
    const answer = await ask(sandbox, method, path.replace('ID', id), { body })
    const to = EXPECTED[state]![trigger]?.[0]
    if (to) {
      expect(answer, `${trigger} on ${state}`).toMatchObject({ status: 200, json: { status: to } })
      continue
    }
    expect(answer, `${trigger} on ${state}`).toMatchObject({
      status: 409,
      json: { error: code, message: expect.stringContaining(state), details: [], agent_id: id, agent_status: state },
    })
    expect(await seen(), `${trigger} on ${state}`).toEqual(before)
  }
})

test('a review that was decided by hand is not decided again when its time comes', async () => {
  await using sandbox = await createSandbox()
  const id = await agentIn(sandbox, 'REJECTED')
  expect((await sandbox.clock.advance('1h')).fired).toEqual([])
  expect(await sandbox.client.agents.get(id)).toMatchObject({ status: 'REJECTED' })
})
