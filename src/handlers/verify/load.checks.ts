import type { Attempt } from '../../relay/forward.ts'
import { isAccepted } from '../post.ts'
import { type Check, type CheckOutcome, type CheckTools, inWords, judgeAnswers } from './check.ts'

const BURST = 100
const MEGABYTE = 1_000_000

const isAcceptedOrTooLarge = (answer: Attempt) => isAccepted(answer) || answer.status === 413

/** Requires that an ordinary event is accepted afterwards. */
async function andThenWorks(tools: CheckTools, found: CheckOutcome): Promise<CheckOutcome> {
  if (found.outcome === 'failed') return found
  const after = await tools.post(tools.samples.event('message.delivered'))
  return isAccepted(after)
    ? found
    : { ...found, outcome: 'failed', received: `${found.received}; an ordinary event after it: ${inWords(after)}` }
}

export const loadChecks: readonly Check[] = [
  {
    name: 'large-body',
    group: 'load',
    claim: 'Survives a body of 1 MB: accepts it, or refuses it with 413',
    why: 'One large event must neither end the handler nor lead to a 500.',
    remedy: 'Set a size limit (express.raw has 100 kB), and let the framework answer 413.',
    async run(tools) {
      const user_message = { type: 'text', text: 'A'.repeat(MEGABYTE), postback_data: null }
      const event = tools.samples.event('conversation.started', { data: { user_message } })
      return andThenWorks(
        tools,
        judgeAnswers('a signed conversation.started of 1 MB', [await tools.post(event)], isAcceptedOrTooLarge),
      )
    },
  },
  {
    name: 'burst',
    group: 'load',
    claim: `Accepts ${BURST} events at once`,
    why: 'A campaign causes an event for each recipient within seconds.',
    remedy: 'Answer before slow work, and make the connection pool and the queue large enough for a campaign.',
    async run(tools) {
      const events = Array.from({ length: BURST }, () => tools.samples.event('message.delivered'))
      const answers = await Promise.all(events.map((event) => tools.post(event)))
      const failed = answers.filter((answer) => !isAccepted(answer))
      const slowest = Math.max(...answers.map(({ durationMs }) => durationMs))
      return {
        outcome: failed.length > 0 ? 'failed' : 'passed',
        sent: `${BURST} signed message.delivered at once`,
        received: failed[0]
          ? `${failed.length} not accepted; ${inWords(failed[0])}`
          : `2xx to all, the slowest in ${slowest} ms`,
      }
    },
  },
  {
    name: 'closed-connection',
    group: 'load',
    claim: 'Survives a connection that is closed in the middle of a body',
    why: 'Connections break, and the service repeats the event. A handler that hangs or ends misses it.',
    remedy:
      'Include the reading of the body in your error handling, so that an error in one request never ends the process.',
    async run(tools) {
      const event = tools.samples.event('message.delivered')
      await tools.postHalf(event)
      const again = await tools.post(event, { attempt: 2 })
      return judgeAnswers('half of a signed message.delivered, and the whole after that', [again], isAccepted)
    },
  },
  {
    name: 'stalled-connection',
    group: 'load',
    claim: 'Accepts events while another connection is stuck',
    why: 'A handler that serves one connection at a time answers nobody while one sender is slow.',
    remedy:
      'Use a server that serves connections in parallel (ThreadingHTTPServer, workers), with a time limit for reading.',
    async run(tools) {
      const [stalled, event] = [tools.samples.event('message.delivered'), tools.samples.event('message.delivered')]
      const answer = await tools.postBesideStalled(stalled, event)
      return judgeAnswers('a signed message.delivered while half of another is in progress', [answer], isAccepted)
    },
  },
]
