import { expect, test } from 'vitest'
import { replayOutcome } from '../../src/inspector/attempts/replayed.ts'

const pending = { status: 'pending', subject: 'msg_1' } as const
const waitingUntil = (next_attempt_at: string | null) =>
  ({
    status: 'waiting',
    subject: 'msg_1',
    waits_for: { event_id: 'evt_1', event: 'message.queued', next_attempt_at },
  }) as const

test('a replay that waits for a retry says that nothing was sent, and when the retry is due', () => {
  expect(replayOutcome({ deliveries: [waitingUntil('2026-11-22T11:00:00.000Z')] })).toEqual({
    text: "Queued for 1 endpoint, not sent yet: the earlier message.queued of msg_1 is attempted again at 2026-11-22 11:00:00 on the world's clock.",
    tone: 'waits',
  })
  expect(replayOutcome({ deliveries: [waitingUntil(null)] }).text).toMatch(
    /: the earlier message\.queued of msg_1 has not been delivered\.$/,
  )
})

test('a replay to several endpoints tells those that wait from those that are attempted now', () => {
  expect(replayOutcome({ deliveries: [pending, waitingUntil(null), pending] }).text).toMatch(
    /^Delivery to 2 endpoints started\. Queued for 1 endpoint, not sent yet: /,
  )
  expect(replayOutcome({ deliveries: [pending] })).toEqual({
    text: 'Delivery to 1 endpoint started.',
    tone: 'good',
  })
  expect(replayOutcome({ deliveries: [] })).toEqual({
    text: 'No endpoint is subscribed to this event.',
    tone: 'waits',
  })
})
