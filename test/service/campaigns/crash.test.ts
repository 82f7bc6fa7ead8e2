import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { type Client, createClient } from '../../../src/index.ts'
import { folder } from '../../folder.ts'
import { phone } from '../../magic.ts'
import { BIN } from '../../paths.ts'
import { end, notice, ordinary, reminder, wait } from './campaign.ts'

interface Server {
  child: ChildProcess
  client: Client
  kill(): Promise<void>
}

/** A sandbox in a process of its own, whose clock runs with the machine's. */
async function start(data: string): Promise<Server> {
  const flags = ['start', '--port', '0', '--data', data, '--clock', 'real', '--no-rate-limit', '--quiet']
  const child = spawn(process.execPath, [BIN, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const client = createClient({ baseUrl: /http:\/\/[^\s"]+/.exec(line.toString())![0], apiKey: 'sk_sandbox_default' })
  return {
    child,
    client,
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Polls until the campaign has reached this point. */
async function until(
  { client }: Server,
  id: string,
  isSo: (status: Awaited<ReturnType<Client['campaigns']['status']>>) => boolean,
) {
  for (;;) {
    const status = await client.campaigns.status(id)
    if (isSo(status)) return status
  }
}

test('a process killed during a campaign sends nothing twice and skips no contact', async () => {
  const data = await folder()
  const first = await start(data)
  const { campaign_id: id } = await first.client.campaigns.define({
    name: 'Crash',
    trigger: 'API',
    audience: ordinary(50),
    throughput: 40,
    flow: [notice, wait('300ms'), reminder, end],
  })
  const { run_id } = await first.client.campaigns.trigger(id)
  await until(first, id, ({ counts }) => counts.completed >= 3)
  await first.kill()

  const second = await start(data)
  const between = await second.client.campaigns.status(id)
  expect(between).toMatchObject({ run_id, status: 'RUNNING', counts: { total: 50 } })
  await until(second, id, ({ counts }) => counts.completed >= Math.max(20, between.counts.completed + 3))
  await second.kill()

  const third = await start(data)
  const done = await until(third, id, ({ status }) => status !== 'RUNNING')
  expect(done).toMatchObject({
    run_id,
    status: 'COMPLETED',
    counts: { total: 50, completed: 50, pending: 0, in_progress: 0 },
  })
  const { messages } = await third.client.messages.list({ campaign_id: id, limit: 200 })
  const everybody = Array.from({ length: 50 }, (_, i) => phone(50 + i))
  for (const { text } of [notice.content, reminder.content])
    expect(
      messages
        .filter(({ content }) => content.text === text)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(everybody)
  const holds = (await third.client.billing.transactions({ limit: 200 })).data.filter(({ type }) => type === 'hold')
  expect(new Set(holds.map(({ message_id }) => message_id)).size).toBe(100)
  expect(holds).toHaveLength(100)
  await third.kill()
})
