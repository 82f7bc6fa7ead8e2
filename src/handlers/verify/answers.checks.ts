import { HOUR } from '../../words/duration.ts'
import { isAccepted } from '../post.ts'
import { type Check, inWords, judgeAnswers } from './check.ts'

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
    claim: 'Gives the same answer to the same event twice',
    why: TWICE,
    remedy: 'Store the ids of processed events, and answer 200 to a known id.',
    async run(tools) {
      const event = tools.samples.event('conversation.started')
      const first = await tools.post(event)
      const second = await tools.post(event, { attempt: 2 })
      return {
        outcome: isAccepted(first) && second.status === first.status ? 'passed' : 'failed',
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
    why: 'The last attempt is 24 h after the event, and a replay can come at any later time.',
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
    why: 'A repeated event arrives after later events. A handler that requires the right order never accepts it.',
    remedy: 'Give each status a rank, replace a status only by one of higher rank, and insert missing records.',
    async run(tools) {
      const names = ['message.read', 'message.delivered', 'message.queued'] as const
      const answers = []
      for (const name of names) answers.push(await tools.post(tools.samples.event(name, { message: 1 })))
      return judgeAnswers('message.read, message.delivered, message.queued of one message', answers, isAccepted)
    },
  },
]
