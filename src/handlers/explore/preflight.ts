import { isAccepted } from '../post.ts'
import type { Application } from './application.ts'
import type { PlayContext } from './context.ts'
import { deliver } from './deliver.ts'
import { Ended } from './ended.ts'
import { failureOf } from './failure.ts'
import { throwing } from './finding.ts'
import type { Failure } from './options.ts'
import type { PlannedRun } from './phase-order.ts'
import type { Player } from './player.ts'
import type { MadeDelivery } from './schedule.ts'

/** Deliveries of the preflight. */
const PREFLIGHT = 3

/** Why all are refused, as far as the first answer shows it. */
function reasonOf({ status, thrown }: MadeDelivery, { handler, stderr }: Application) {
  const answer = `${status ?? 'No answer'} to every delivery`
  if (status === 401 || status === 403)
    return {
      message: `${answer}: wrong secret, or a header is missing?`,
      remedy:
        'Pass the secret that the handler verifies with (--secret or SANDBOX_WEBHOOK_SECRET), and the headers that a gateway asks for (--header).',
    }
  if (typeof handler === 'function')
    return {
      message: `${answer}${throwing(thrown)}`,
      remedy: 'Answer 2xx to every signed event, even if the handler does not need it.',
    }
  const written = stderr?.()
  return {
    message: `${answer}: is ${handler} the webhook handler?${written ? ` stderr: ${written}` : ''}`,
    remedy: 'Check the URL, and post one event with sandbox verify-handler --only events to see the answer.',
  }
}

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
    if (!made.some(isAccepted)) continue
    if (context.beginning) context.beginning.accepted = made.at(-1)!.name
    return null
  }
  const [first] = made
  if (!first || made.some(({ status }) => status !== first.status) || first.status === 503) return null
  const finding = { code: 'all-refused', where: 'handler', ...reasonOf(first, context.application) }
  const schedule = { events: made.map(({ event }) => event), perturbations: [] }
  return failureOf(context, run, { schedule, played: { schedule, deliveries: made, findings: [finding] } })
}
