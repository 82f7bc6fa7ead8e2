import { afterAll, expect, test } from 'vitest'
import { documentOf, type Part } from '../../src/openapi/document.ts'
import { ask } from '../http.ts'
import { rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

interface Stated {
  operationId: string
  parameters?: { name: string; in: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

/** A new world has none of these records; the operations answer once a call has created them. */
const NOT_MADE_YET = [
  'messages_get',
  'messages_revoke',
  'messages_explain',
  'handsets_tap',
  'consent_revoke',
  'consent_confirm',
  'webhooks_update',
  'webhooks_delete',
  'webhooks_test',
  'billing_invoicePdf',
  'events_show',
  'events_replay',
  'events_delivery',
  'events_sendEdited',
  'rules_show',
  'rules_update',
  'rules_remove',
  'faults_show',
  'faults_remove',
  'logs_show',
  'snapshots_show',
  'snapshots_restore',
  'snapshots_fork',
  'snapshots_export',
  'snapshots_delete',
  'leases_show',
  'leases_messages',
  'leases_release',
]
/** The preparation that the answer asks for. */
const NOT_YET: Readonly<Record<string, readonly [status: number, error: string]>> = {
  agents_review: [409, 'agent_state_conflict'],
  agents_reinstate: [409, 'agent_state_conflict'],
  campaigns_pause: [409, 'campaign_not_pausable'],
  campaigns_resume: [409, 'campaign_not_resumable'],
  campaigns_run: [409, 'campaign_not_manually_triggered'],
  campaigns_event: [409, 'campaign_not_event_triggered'],
  ...Object.fromEntries(['inbox_code', 'inbox_link', 'events_wait'].map((id) => [id, [404, 'not_arrived'] as const])),
  testAgent_verify: [422, 'invalid_code'],
  testAgent_send: [403, 'test_agent_forbidden'],
  namespaces_delete: [409, 'default_namespace'],
  ...Object.fromEntries(['status', 'move', 'drain'].map((verb) => [`cluster_${verb}`, [409, 'no_cluster'] as const])),
  ...Object.fromEntries(
    ['namespaces_create', 'namespaces_ensure', 'namespaces_rotate', 'namespaces_revoke', 'audit_list'].map((id) => [
      id,
      [409, 'sandbox_not_shared'] as const,
    ]),
  ),
  ...Object.fromEntries(
    ['handsets_reply', ...['click', 'bounce'].map((verb) => `mailboxes_${verb}`)].map((id) => [
      id,
      [409, 'nothing_to_answer'] as const,
    ]),
  ),
  ...Object.fromEntries(
    ['open', 'complain', 'unsubscribe'].map((verb) => [`mailboxes_${verb}`, [404, 'not_found'] as const]),
  ),
}

const operationsIn = (part: Part) =>
  Object.entries(documentOf(part, '').paths as Record<string, Record<string, Stated>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, stated]) => ({ path, method: method.toUpperCase(), stated })),
  )

const OPERATIONS = operationsIn('service').concat(operationsIn('control'))

function filledIn({ path, stated: { operationId, parameters = [] } }: (typeof OPERATIONS)[number]): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)!
    expect(example, `${operationId}: ${name} has no example`).toBeDefined()
    return encodeURIComponent(String(example))
  })
}

/** A new world for calls that only read. */
const unchanged = await createSandbox()
afterAll(() => unchanged[Symbol.asyncDispose]())

test.each(OPERATIONS)('$method $path works as the docs page and a Postman collection fill it in', async (operation) => {
  const { method, stated } = operation
  const { operationId, requestBody } = stated
  const filled = filledIn(operation)
  const json = requestBody?.content['application/json']
  if (json) expect(json.example, `${operationId}: the body has no example`).toBeDefined()
  // A stream does not end, and a file is no example.
  if (/_stream$|snapshots_import/.test(operationId)) return
  await using own = method === 'GET' ? undefined : await createSandbox()
  const { status, json: answer } = await ask(own ?? unchanged, method, filled, { body: json?.example })
  const text = JSON.stringify(answer)
  if (NOT_MADE_YET.includes(operationId)) expect([status, answer.error], text).toEqual([404, 'not_found'])
  else if (NOT_YET[operationId]) expect([status, answer.error], text).toEqual(NOT_YET[operationId])
  else expect(status, text).toBeLessThan(300)
})

test.each([
  ['inbox_code', { code: '493817' }],
  ['inbox_link', { url: 'https://example.com/confirm?t=1' }],
])('%s finds what has arrived at the address of its example', async (id, found) => {
  const operation = OPERATIONS.find(({ stated }) => stated.operationId === id)!
  const path = filledIn(operation)
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({
    ...rcsText,
    to: decodeURIComponent(path.split('/').at(-2)!),
    content: { text: 'Your code is 493817, or open https://example.com/confirm?t=1' },
  })
  await sandbox.clock.advance('1h')
  expect(await ask(sandbox, operation.method, `${path}?after=0.0`)).toMatchObject({ status: 200, json: found })
})
