import type { Attempt } from '../../relay/forward.ts'
import { HOUR } from '../../words/duration.ts'
import { isAccepted } from '../post.ts'
import { type Check, inWords, judgeAnswers } from './check.ts'
import type { SampleEvent } from './samples.ts'

const TWICE =
  'If the answer to a delivery is lost, the service repeats the event with the same id. The repeat must have no second effect, and must not be refused.'

export const answerChecks: readonly Check[] = [
  {
    name: 'answers-in-time',
    group: 'answers',
    claim: 'Answers within the limit',
    why: 'The service waits 5 s. A slower answer counts as failed, and the service repeats the event while your handler still works on the first attempt.',
    remedy: 'Store the event, answer 200, and do the work afterwards from the stored event.',
    async run(tools) {
      const answers = []
      for (let i = 0; i < 5; i++) answers.push(await tools.post(tools.samples.event('message.delivered')))
      const slowest = answers.toSorted((a, b) => b.durationMs - a.durationMs)[0]!
      const late = answers.find(({ status }) => status === null)
      return {
        outcome: late ? 'failed' : 'passed',
        sent: '5 signed message.delivered, one after the other',
        received: late ? inWords(late) : `the slowest in ${slowest.durationMs} ms`,
      }
    },
  },
  {
    name: 'same-answer-twice',
    group: 'answers',
    claim: 'Accepts the same event twice',
    why: TWICE,
    remedy: 'Store the ids of processed events, and answer 200 to a known id.',
    async run(tools) {
      const event = tools.samples.event('conversation.started')
      const first = await tools.post(event)
      const second = await tools.post(event, { attempt: 2 })
      return {
        outcome: isAccepted(first) && isAccepted(second) ? 'passed' : 'failed',
        sent: 'a signed conversation.started, and the same bytes again as attempt 2',
        received: `${inWords(first)}, then ${inWords(second)}`,
      }
    },
  },
  {
    name: 'same-event-at-once',
    group: 'answers',
    claim: 'Accepts the same event twice at the same time',
    why: 'After a timeout, the next attempt can overlap with the previous one. A violated unique key must not lead to a 500.',
    remedy: 'Insert the id with ON CONFLICT DO NOTHING in the transaction of the work, and answer 200 if it existed.',
    async run(tools) {
      const event = tools.samples.event('conversation.started')
      const answers = await Promise.all([1, 2].map((attempt) => tools.post(event, { attempt })))
      return judgeAnswers('two copies of a signed conversation.started at once', answers, isAccepted)
    },
  },
  {
    name: 'late-delivery',
    group: 'answers',
    claim: 'Accepts an event that happened 25 hours ago',
    why: 'The last attempt is 24 h after the first, and a replay can come at any later time.',
    remedy:
      'Do not refuse old events: the signature proves that an event is genuine, and its id shows whether it is new.',
    async run(tools) {
      const event = tools.samples.event('message.delivered', { agoMs: 25 * HOUR })
      return judgeAnswers(
        'a signed message.delivered of yesterday',
        [await tools.post(event, { attempt: 5 })],
        isAccepted,
      )
    },
  },
  {
    name: 'reordering',
    group: 'answers',
    claim: 'Accepts the events of a message in the wrong order',
    why: 'A repeated event arrives after later events. A handler that refuses it then, and again when all have arrived, never accepts it.',
    remedy: 'Give each status a rank, replace a status only by one of higher rank, and insert missing records.',
    async run(tools) {
      const names = ['message.read', 'message.delivered', 'message.queued'] as const
      const events = names.map((name) => tools.samples.event(name, { message: 1 }))
      const answers = new Map<SampleEvent, Attempt>()
      for (const event of events) answers.set(event, await tools.post(event))
      // A handler may refuse an event until the one before it has arrived.
      for (const event of events.toReversed())
        if (!isAccepted(answers.get(event)!)) answers.set(event, await tools.post(event, { attempt: 2 }))
      const sent = 'message.read, message.delivered, message.queued of one message, and each refused one again'
      return judgeAnswers(sent, [...answers.values()], isAccepted)
    },
  },
]
