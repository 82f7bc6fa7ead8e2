import { expect, test } from 'vitest'
import { replayOutcome } from '../../src/inspector/attempts/replayed.ts'

const NOW = '2026-11-22T10:00:00.000Z'
const delivery = (status: 'pending' | 'waiting') => ({ status, endpoint_id: 'wh_1', subject: 'msg_1' })
const turn = async () => ({ now: NOW, nextAttemptAt: '2026-11-22T11:00:00.000Z' })

test('a replay that waits for a retry says that nothing was sent, and when the retry is due', async () => {
  expect(await replayOutcome({ deliveries: [delivery('waiting')] }, turn)).toEqual({
    text: "Queued for 1 endpoint, not sent yet: an earlier event of msg_1 is attempted again in 1 h, at 2026-11-22 11:00:00 on the world's clock.",
    tone: 'waits',
  })
})

test('a replay to several endpoints tells those that wait from those that are attempted now', async () => {
  const deliveries = [delivery('pending'), delivery('waiting'), delivery('pending')]
  expect((await replayOutcome({ deliveries }, turn)).text).toMatch(
    /^Delivery to 2 endpoints started\. Queued for 1 endpoint, not sent yet: /,
  )
  expect(await replayOutcome({ deliveries: [delivery('pending')] }, turn)).toEqual({
    text: 'Delivery to 1 endpoint started.',
    tone: 'good',
  })
  expect(await replayOutcome({ deliveries: [] }, turn)).toEqual({
    text: 'No endpoint is subscribed to this event.',
    tone: 'waits',
  })
})
