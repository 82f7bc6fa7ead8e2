import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { createClient } from '../../src/client/index.ts'
import { runnable } from '../../src/handlers/explore/commands/runnable.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { Flow } from '../../src/handlers/explore/flow.ts'
import { openFlowSandbox } from '../../src/handlers/explore/flow-sandbox.ts'
import { builtInFlows, requireFlow } from '../../src/handlers/explore/flows/index.ts'
import { type SavedApplication, testOf } from '../../src/handlers/explore/saved.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { folder } from '../folder.ts'
import { identity } from '../stand-in/service.ts'
import { urlOf } from '../url-of.ts'

/** In place of what a saved test imports: its options go to `play`. */
const RUNNER = `
let run, play
export const runWith = (next) => { play = next; return run() }
export const explore = (options) => play(options)
export const test = (name, options, body) => { run = body }
export const afterAll = () => {}
export const expect = { fail: (message) => { throw new Error(message) } }`

interface Options {
  network?: object
}

async function runSaved(application: SavedApplication, play: (options: Options) => unknown): Promise<void> {
  const dir = await folder()
  const schedule = { flow: 'tap', draw: 's', events: [0], perturbations: [] }
  const text = testOf(schedule, 'tap: belief-differs', application)
  await writeFile(join(dir, 'runner.mjs'), RUNNER)
  await writeFile(join(dir, 'saved.mjs'), text.replace(/'(vitest|messaging-sandbox)'/g, "'./runner.mjs'"))
  const load = (name: string) => import(pathToFileURL(join(dir, name)).href)
  await load('saved.mjs')
  await (await load('runner.mjs')).runWith(play)
}

const url = 'http://127.0.0.1:9/hook'

test('what is saved of a flow does not depend on what earlier runs have left', async () => {
  const flow: Flow = {
    name: 'alert',
    summary: 'An alert follows the balance',
    async run({ client: { billing } }) {
      const { free } = await billing.balance()
      await billing.setAlerts({ enabled: true, threshold: free + 1 })
    },
  }
  const sandbox = await openFlowSandbox('s', { isTaken: () => false })
  onTestFinished(() => sandbox.stop())
  const alerts = async () =>
    (await sandbox.callsOf(flow, 's')).filter(({ path }) => path.includes('alerts')).map(({ request }) => request?.body)
  const first = await alerts()
  await sandbox.sandbox.client.billing.topup({ amount: 100, currency: 'EUR' })
  expect(await alerts()).toEqual(first)
})

test('what is saved of a flow at an instant can be repeated after others, to whom the same happens later', async () => {
  const replies: Record<string, number> = {}
  let ids: string[] = []
  const application = {
    ...{ settleMs: 20, idleSeconds: 0, disturbances: ['history'] as const },
    truth: () => ({ replies }),
    handler({ body }: { body: string }) {
      const { id, event, data } = JSON.parse(body)
      if (event !== 'conversation.started' || ids.includes(id)) return
      ids = [...ids, id].slice(-20)
      replies[data.from] = (replies[data.from] ?? 0) + 1
    },
  }
  const { failure } = await explore({ ...application, flows: ['turn-of-time'] })
  expect(failure?.scenario).toMatch(/- advance: \d{4}-/)
  const again = await explore({ ...application, flows: [flowOf(failure!.scenario, 'turn.yaml')] })
  expect(again.failure?.findings[0]).toMatchObject({ code: 'belief-differs', where: 'replies' })
})

test('a saved test without the value of a header fails with the name of its variable', () => {
  const schedule = { flow: 'tap', draw: 's', events: [0], perturbations: [] }
  const text = testOf(schedule, 'tap: belief-differs', { handler: url, truth: url, headers: ['x-gw'] })
  const check = text.indexOf("expect(process.env).toHaveProperty('HANDLER_X_GW')")
  expect(check).toBeGreaterThan(0)
  expect(check).toBeLessThan(text.indexOf('await explore('))
})

test('a saved test fails with the whole story', async () => {
  const story = `opt-out: a user gets a newsletter\n${'  1. contact.created → 200\n'.repeat(9)}`
  const running = runSaved({ handler: url, truth: url }, () => ({ failure: { story } }))
  await expect(running).rejects.toThrow(story)
})

test.each([
  ['http', createServer((_, response) => void response.end())],
  ['https', createSecureServer(identity())],
])('a command does not start an application at a port of another process, %s', async (_, server) => {
  const url = await urlOf(server)
  const handler = `${url}/hook`
  const exploring = explore({ handler, truth: handler, start: { command: 'sleep 9' }, network: { insecure: true } })
  await expect(exploring).rejects.toThrow(`Port ${new URL(url).port} is already in use`)
})

test('an application that does not start is reported with its exit status', async () => {
  const exploring = explore({ handler: url, truth: url, start: { command: 'echo No database. >&2; exit 3' } })
  await expect(exploring).rejects.toMatchObject({
    message: 'The command "echo No database. >&2; exit 3" has ended with exit status 3.',
    hint: 'No database.',
  })
})

test('an application with a restart of its own is started by its command after a kill', async () => {
  const handler = `http://127.0.0.1:${await freePort()}/hook`
  const command = `node -e "http.createServer((_, res) => res.end()).listen(${new URL(handler).port})"`
  const restarts: (string | number)[] = []
  const isListening = () =>
    fetch(handler).then(
      ({ status }) => status,
      () => 'dead',
    )
  const { stop, start, kill, restart } = runnable({
    ...{ handler, truth: () => ({}), start: { command } },
    restart: async () => restarts.push(await isListening()),
  })
  onTestFinished(stop)
  await (start as (environment: object) => Promise<void>)({})
  await kill!()
  await (restart as () => Promise<void>)()
  expect([await isListening(), restarts]).toEqual([200, []])
  await (restart as () => Promise<void>)()
  expect(restarts).toEqual([200])
})

test('a saved test trusts the certificates that its exploration trusted', async () => {
  const saved: SavedApplication = { handler: url, truth: url }
  const networks: (object | undefined)[] = []
  for (const network of [undefined, { authorities: 'of a\n"company"' }, { insecure: true }])
    await runSaved({ ...saved, network }, (options) => {
      networks.push(options.network)
      return {}
    })
  expect(networks).toEqual([undefined, { authorities: 'of a\n"company"' }, { insecure: true }])
})

test('the commands of an application get the address of its sandbox, and a new secret', async () => {
  const cwd = await folder()
  const truth = {
    command: 'echo "{\\"x-at\\": \\"$SANDBOX_BASE_URL\\", \\"x-key\\": \\"$KEY\\"}"',
    env: { KEY: 'own' },
  }
  const rotate = { command: 'printf %s "$SANDBOX_WEBHOOK_SECRET" > secret', cwd }
  const { start, stop, ...application } = runnable({ handler: url, truth, start: { command: 'exit 0' }, rotate })
  onTestFinished(stop)
  await (start as (environment: object) => Promise<void>)({ baseUrl: url, apiKey: 'key', secret: 'secret' }).catch(
    () => {},
  )
  expect(await (application.truth as () => unknown)()).toEqual({ 'x-at': url, 'x-key': 'own' })
  await (application.rotate as (secret: string) => unknown)('new')
  expect(await readFile(join(cwd, 'secret'), 'utf8')).toBe('new')
})

test('each play of a saved schedule has new people, but the same ones of a user', async () => {
  const flowSandbox = await openFlowSandbox('s', { isTaken: () => false, flows: [] })
  onTestFinished(() => flowSandbox.sandbox.stop())
  const contactsOf = async (flow: Flow): Promise<Contact[]> =>
    (await flowSandbox.record(flow, 's.0'))
      .filter(({ event }) => event === 'contact.created')
      .map(({ body }) => JSON.parse(body).data)
  const [first] = await contactsOf(requireFlow('soft-bounce', builtInFlows))
  const people = JSON.stringify({ phone: first!.phone, email: first!.email })
  const calls = [people, '{ phone: "+491713920461" }'].map((who) => `  - { call: contacts.create, with: ${who} }`)
  const flow = flowOf(['name: Two contacts', 'steps:', ...calls].join('\n'), 'saved.yaml')
  const [one, same] = await contactsOf(flow)
  await flowSandbox.sandbox.reset()
  const [other, again] = await contactsOf(flow)
  expect([same!.phone, again!.phone]).toEqual(['+491713920461', '+491713920461'])
  const addresses = [first, one, other].flatMap((contact) => [contact!.phone, contact!.email])
  expect(new Set(addresses).size).toBe(6)
})

interface Contact {
  phone: string
  email: string
}

test('a saved schedule is played for another person before a restart, also in an application that calls', async () => {
  const { failure } = await explore({
    flows: ['opt-out'],
    schedules: 1,
    settleMs: 20,
    handler: () => 200,
    truth: () => ({ suppressed: {} }),
  })
  const people = new Set<string>()
  const restart = () => people.add('a restart')
  const suppressed: Record<string, boolean> = {}
  await explore({
    ...{ flows: [flowOf(failure!.scenario, 'saved.yaml')], settleMs: 20, kill: restart, restart },
    truth: () => ({ suppressed }),
    async handler({ body }, environment) {
      const { event, data } = JSON.parse(body)
      if (event !== 'conversation.started') return 200
      people.add(data.from)
      suppressed[data.from] = true
      await createClient(environment).messages.list({ to: data.from })
      return 200
    },
  })
  expect([people.size, people.has('a restart')]).toEqual([2, false])
})
