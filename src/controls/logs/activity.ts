import { type LogListener, logListeners } from '../../service/events/listeners.ts'
import { type EventRow, eventAt } from '../../service/events/log.ts'
import { type AttemptListener, attemptListeners } from '../../service/webhooks/listeners.ts'
import { type Hooked, hooked } from '../../world/hook.ts'
import { yieldToRequests } from '../../world/machine-time.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'

/** Reports events and deliveries to the watcher of the process; requests are reported where they are logged. */
const events: LogListener = {
  written(world, event) {
    if (world.host.onActivity) void reportOnceCommitted(world, event)
  },
  needed: () => [],
  dropped: () => {},
}

/** Waits for the commit, because a rolled-back event never happened. */
async function reportOnceCommitted(world: World, { seq, id, at, event, subject }: EventRow) {
  const { namespace } = world
  await yieldToRequests()
  if (!world.lifecycle.end && eventAt(world, seq)?.id === id)
    world.host.onActivity?.({ type: 'event', namespace, at: isoTime(at), seq, event, subject })
}

const attempts: AttemptListener = (world, { id, event }, url, { at, number, status_code, error }) =>
  world.host.onActivity?.({
    ...{ type: 'delivery', namespace: world.namespace, at: isoTime(at) },
    ...{ event, event_id: id, url, attempt: number, status_code, error },
  })

export const activityHooks: readonly Hooked[] = [hooked(logListeners, events), hooked(attemptListeners, attempts)]
