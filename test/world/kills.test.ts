import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'
import { Journal, recover } from '../../src/world/storage/journal.ts'
import { folder } from '../folder.ts'
import { phone, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { define, end, notice, sentBy } from '../service/campaigns/campaign.ts'

interface Kill {
  /** The data folder as the killed process leaves it. */
  data: string
  /** The messages that were acknowledged before. */
  acknowledged: readonly string[]
}

/**
 * Copies a data folder at three points of every commit, as a kill would leave it: events are written but rows are not; both
 * are written but not committed; everything is committed.
 */
async function killsAtCommits(data: string, acknowledged: readonly string[]): Promise<Kill[]> {
  const kills: Kill[] = []
  const copies = await folder()
  const kill = () => {
    const copy = join(copies, String(kills.length))
    mkdirSync(copy)
    for (const file of readdirSync(data))
      if (/\.db(-wal)?$/.test(file)) copyFileSync(join(data, file), join(copy, file))
    kills.push({ data: copy, acknowledged: [...acknowledged] })
  }
  const { write, committed } = Journal.prototype
  Journal.prototype.write = function (...args) {
    kill()
    write.apply(this, args)
    kill()
  }
  Journal.prototype.committed = function () {
    committed.apply(this)
    kill()
  }
  onTestFinished(() => {
    Object.assign(Journal.prototype, { write, committed })
  })
  return kills
}

interface Found {
  id: string
  /** The steps of the row, and the steps with events. */
  steps: string
  events: string
  hold: number
  isOpen: 0 | 1
  /** The number of timers of the message. */
  timers: number
}

/** The messages that the next process finds. */
function foundAfter({ data }: Kill) {
  const db = openDatabase({ file: join(data, 'default.db') })
  recover(db)
  const messages = db
    .prepare<Found>(
      `SELECT id, hold, cost IS NULL AS isOpen,
         concat_ws(' ', 'queued', iif(delivered_at, 'delivered', NULL), iif(read_at, 'read', NULL)) AS steps,
         (SELECT group_concat(substr(event, 9), ' ' ORDER BY seq) FROM events WHERE subject = messages.id) AS events,
         (SELECT count(*) FROM timers WHERE subject = messages.id AND timers.id = messages.timer_id)
           + 2 * (SELECT count(*) FROM timers WHERE subject = messages.id AND timers.id IS NOT messages.timer_id) AS timers
       FROM messages`,
    )
    .all()
  const reserved = db
    .prepare<{ reserved: number }>('SELECT reserved FROM ledger ORDER BY seq DESC LIMIT 1')
    .get()!.reserved
  const underWay = db
    .prepare<{ count: number }>('SELECT count(*) AS count FROM messages WHERE timer_id IS NOT NULL')
    .get()!.count
  db.close()
  return { messages, reserved, underWay }
}

test('a kill at any point of a commit leaves consistent rows, events, timers and holds', async () => {
  const data = await folder()
  const acknowledged: string[] = []
  const kills = await killsAtCommits(data, acknowledged)
  {
    await using sandbox = await createSandbox({ data })
    const send = async (n: number) => {
      acknowledged.push((await sandbox.client.messages.send({ ...rcsText, to: phone(50 + n) })).message_id)
    }
    for (const round of [0, 1, 2]) {
      await Promise.all([round, 3 + round, 6 + round].map(send))
      // Reading writes rows that were in memory.
      if (round > 0) await sandbox.client.messages.list({})
      await sandbox.clock.advance('700ms')
    }
    await sandbox.clock.advance('1s')
    await sandbox.clock.advance('1m')
  }
  expect(kills.length).toBeGreaterThan(30)
  for (const kill of kills.filter(({ acknowledged }) => acknowledged.length > 0)) {
    const { messages, reserved, underWay } = foundAfter(kill)
    const ids = messages.map(({ id }) => id)
    expect(kill.acknowledged.filter((id) => !ids.includes(id))).toEqual([])
    for (const { events, steps } of messages) expect(events).toBe(steps)
    expect(messages.reduce((sum, { hold, isOpen }) => sum + hold * isOpen, 0)).toBe(reserved)
    expect(messages.map(({ timers }) => timers).toSorted()).toEqual(
      messages.map((_, i) => Number(i >= messages.length - underWay)),
    )
  }
  const [middle] = kills.filter(({ acknowledged }) => acknowledged.length === 6)
  await using next = await createSandbox({ data: middle!.data })
  await next.clock.advance('1h')
  const { messages } = await next.client.messages.list({})
  expect(messages.filter(({ status }) => status !== 'delivered' && status !== 'read')).toEqual([])
  const { events } = await next.client.events.list({ event: 'message.delivered', limit: 200 })
  expect(events.map(({ data }) => 'message_id' in data && data.message_id).toSorted()).toEqual(
    messages.map(({ id }) => id).toSorted(),
  )
})

/** The run of the only campaign that the next process finds: the counts of its row, and counts of contacts and messages. */
function runAfter({ data }: Kill) {
  const db = openDatabase({ file: join(data, 'default.db') })
  recover(db)
  const run = db.prepare('SELECT pending, in_progress, completed FROM campaign_runs').get()
  const contacts = db
    .prepare(
      `SELECT count(*) FILTER (WHERE status = 'pending') AS pending,
         count(*) FILTER (WHERE status = 'in_progress') AS in_progress,
         count(*) FILTER (WHERE status = 'completed') AS completed FROM campaign_executions`,
    )
    .get()
  const { unsent, sends, messages } = db
    .prepare<{ unsent: number; sends: number; messages: number }>(
      `SELECT (SELECT count(*) FROM campaign_executions WHERE queued = 1) AS unsent,
         (SELECT count(*) FROM campaign_executions JOIN campaign_sends ON execution = campaign_executions.seq
          JOIN messages ON messages.id = campaign_sends.message_id AND messages.id = campaign_executions.message_id) AS sends,
         (SELECT count(*) FROM messages WHERE campaign_id IS NOT NULL) AS messages`,
    )
    .get()!
  db.close()
  return { run, contacts, unsent, sends, messages }
}

test('a kill at any point of a commit leaves a campaign that sends to each contact once', async () => {
  const data = await folder()
  const kills = await killsAtCommits(data, [])
  let [id, enrolledAt] = ['', 0]
  {
    await using sandbox = await createSandbox({ data })
    const consent = [{ channel_type: 'RCS', message_type: 'MESSAGE' } as const]
    await sandbox.client.contacts.generate({ count: 50, tag: 'all', consent })
    id = await define(sandbox, [notice, end], { audience: { tag: 'all' } })
    await sandbox.client.campaigns.trigger(id)
    // Enrols all contacts.
    await sandbox.clock.advance('1ms')
    enrolledAt = kills.length
    for (let i = 0; i < 10; i++) {
      await sandbox.clock.advance('60ms')
      // Reading writes rows that were in memory.
      if (i === 2) await sandbox.client.campaigns.status(id)
    }
  }
  const running = kills.slice(enrolledAt)
  for (const kill of running) {
    const { run, contacts, unsent, sends, messages } = runAfter(kill)
    expect(run).toEqual(contacts)
    expect([unsent + sends, messages]).toEqual([50, sends])
  }
  const half = running.find((kill) => runAfter(kill).sends === 20 || runAfter(kill).sends === 30)
  await using next = await createSandbox({ data: half!.data })
  await next.clock.advance('1h')
  expect((await next.client.campaigns.status(id)).counts).toMatchObject({ total: 50, completed: 50 })
  expect(new Set((await sentBy(next, id)).map(({ to }) => to)).size).toBe(50)
  expect(await sentBy(next, id)).toHaveLength(50)
})
