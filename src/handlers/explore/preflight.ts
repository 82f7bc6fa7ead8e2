import { isAccepted } from '../post.ts'
import type { PlayContext } from './context.ts'
import { deliver } from './deliver.ts'
import { Ended } from './ended.ts'
import { failureOf } from './failure.ts'
import type { Failure } from './options.ts'
import type { PlannedRun } from './phase-order.ts'
import type { Player } from './player.ts'
import type { MadeDelivery } from './schedule.ts'

/** Deliveries of the preflight. */
const PREFLIGHT = 3

/** Everything that is refused has one cause, which is not the order of events. */
export async function preflight(context: PlayContext, player: Player, run: PlannedRun): Promise<Failure | null> {
  await player.refresh()
  const recording = await player.recordingOf(run)
  const made: MadeDelivery[] = []
  for (const event of player.subscribed(recording).slice(0, PREFLIGHT)) {
    try {
      const planned = { event, attempt: 1, how: 'plain' } as const
      made.push(...(await deliver(context, [{ event: recording[event]!, planned }])).flat())
    } catch (error) {
      if (error instanceof Ended) return null
      throw error
    }
    if (made.some(isAccepted)) return null
  }
  const [first] = made
  if (!first || made.some(({ status }) => status !== first.status) || first.status === 503) return null
  const answer = first.status === null ? 'No answer' : `${first.status}`
  const isRefusal = first.status === 401 || first.status === 403
  const finding = {
    code: 'all-refused',
    where: 'handler',
    message: `${answer} to every delivery${isRefusal ? ': wrong secret, or a header is missing?' : `: is ${context.application.handler} the webhook handler?`}`,
    remedy: isRefusal
      ? 'Pass the secret that the handler verifies with (--secret or SANDBOX_WEBHOOK_SECRET), and the headers that a gateway asks for (--header).'
      : 'Check the URL, and post one event with sandbox verify-handler --only events to see the answer.',
  }
  const schedule = { events: made.map(({ event }) => event), perturbations: [] }
  return failureOf(context, run, { schedule, played: { schedule, deliveries: made, findings: [finding] } })
}
