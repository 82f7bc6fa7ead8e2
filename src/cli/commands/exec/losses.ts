import type { Client } from '../../../client/client.ts'
import { logAfter } from '../../../client/pages.ts'
import type { Attempt } from '../../../relay/forward.ts'
import type { RelayListener } from '../../../relay/relay.ts'
import { accepts, type ForwardRoute } from '../../../relay/route.ts'
import { quantity } from '../../../words/number-text.ts'
import type { Output } from '../../output/output.ts'

interface Trouble {
  /** Webhooks whose retries are used up. */
  lost: number
  /** The target has not accepted the latest attempt, so later events wait. */
  isStuck: boolean
  last: Attempt
}

/** Counts the webhooks that did not arrive. Prints nothing before the end: the terminal belongs to the command. */
export function countLosses() {
  const troubles = new Map<ForwardRoute, Trouble>()
  const note = (route: ForwardRoute, isAccepted: boolean, isLost: boolean, last: Attempt) => {
    const { lost } = troubles.get(route) ?? { lost: 0 }
    troubles.set(route, { lost: lost + (isLost ? 1 : 0), isStuck: !isAccepted, last })
  }
  const listener: Partial<RelayListener> = {
    onTargetState: (state, route, attempt) => note(route, state === 'up', false, attempt),
    event(_, deliveries) {
      for (const { route, delivered, last } of deliveries)
        if (!delivered || troubles.has(route)) note(route, true, !delivered, last)
    },
  }
  return {
    listener,
    /** Reports the losses after all deliveries have ended; `cursor` is the position up to which all events were handled. */
    async report({ events }: Client, cursor: number | undefined, output: Output) {
      if (troubles.size === 0) return
      const open = await Array.fromAsync(logAfter(cursor ?? 0, events.list, (page) => page.events))
      for (const [route, { lost, isStuck, last }] of troubles) {
        const count = lost + (isStuck ? open.filter(({ event }) => accepts(route, event)).length : 0)
        if (count === 0) continue
        const { href } = route.target.url
        const error = last.error ?? `status ${last.status}`
        const message = `${quantity(count, 'webhooks')} did not reach ${href}: ${error}`
        output.warn({ warning: 'not_forwarded', url: href, count, error, message })
      }
    },
  }
}
