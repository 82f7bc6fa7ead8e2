import { useState } from 'preact/hooks'
import { statusAfter } from '../../words/statuses.ts'
import type { DeliveryAnswer, MessageAnswer } from '../api/answers.ts'
import { useCall } from '../api/read.ts'
import { Status, When } from '../ui/parts.tsx'
import { euros } from '../ui/text.ts'

export interface Moment {
  /** The chosen step; undefined for now. */
  index: number | undefined
  isNow: boolean
  /** True for instants up to the chosen one. */
  includes: (at: string) => boolean
  choose: (index: number | undefined) => void
}

/** The instants at which something changed: steps of the message and attempts of its webhooks. */
export function momentsOf(message: MessageAnswer, deliveries: readonly DeliveryAnswer[]): string[] {
  const attempts = deliveries.flatMap(({ attempts }) => attempts.map(({ at }) => at))
  return [...new Set([...message.events.map(({ at }) => at), ...attempts])].sort()
}

export function useMoment(moments: readonly string[]): Moment {
  const [index, choose] = useState<number>()
  const at = index === undefined ? undefined : moments[index]
  return { index, isNow: at === undefined, includes: (one) => at === undefined || one <= at, choose }
}

/** The message as it was: what its later steps brought is not known yet. */
export function messageAt(message: MessageAnswer, { includes, isNow }: Moment): MessageAnswer {
  if (isNow) return message
  const events = message.events.filter(({ at }) => includes(at))
  const status = statusAfter(events.at(-1)?.type ?? 'queued') as MessageAnswer['status']
  const isOpen = status === 'queued' || status === 'dispatched'
  return {
    ...message,
    events,
    status,
    ...(isOpen ? { cost: null } : {}),
    ...(status === message.status ? {} : { failure_reason: null, error_message: null }),
  }
}

/** The delivery as it was: one with later attempts was still pending. */
export const deliveryAt = (delivery: DeliveryAnswer, { includes }: Moment): DeliveryAnswer =>
  delivery.attempts.every(({ at }) => includes(at)) ? delivery : { ...delivery, status: 'pending' }

/** Moves along the timeline; the page shows message, balance and attempts as they were. */
export function TimeSlider({
  moments,
  moment: { index, isNow, choose },
  message,
}: {
  moments: readonly string[]
  moment: Moment
  message: MessageAnswer
}) {
  if (moments.length < 2) return null
  const last = moments.length - 1
  const at = moments[index ?? last]!
  return (
    <section class="slider" aria-label="Time travel">
      <label>
        <span class="sr-only">Step of the timeline</span>
        <input
          type="range"
          min={0}
          max={last}
          value={index ?? last}
          aria-valuetext={`${at}, step ${(index ?? last) + 1} of ${moments.length}`}
          onInput={({ currentTarget }) => {
            const wanted = Number(currentTarget.value)
            choose(wanted === last ? undefined : wanted)
          }}
        />
      </label>
      {isNow ? (
        <span class="note">Now. Move the slider to see message, balance and webhook attempts as they were.</span>
      ) : (
        <>
          <span>
            As of <When at={at} precise />: <Status of={message.status} />
          </span>
          <BalanceAt at={at} />
          <button type="button" class="button quiet small" onClick={() => choose(undefined)}>
            Back to now
          </button>
        </>
      )}
    </section>
  )
}

function BalanceAt({ at }: { at: string }) {
  const { value } = useCall(['billing', 'balanceAt', { at }], { when: () => false })
  if (!value) return null
  return (
    <span class="note">
      Balance {euros(value.free)} free, {euros(value.reserved)} reserved
    </span>
  )
}
