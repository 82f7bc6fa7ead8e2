import type { TargetState } from '../../../relay/deliver.ts'
import type { Attempt } from '../../../relay/forward.ts'
import type { RelayListener } from '../../../relay/relay.ts'
import { connectionTeller } from '../../connection.ts'
import type { Output } from '../../output.ts'
import type { Paint } from '../../paint.ts'
import { printable } from '../../render.ts'

export interface Envelope {
  id: string
  event: string
  timestamp: string
  data: Record<string, unknown>
}

const GUARANTEE = 'one at a time in log order; after a break the last event can come twice: know it by its id'

/** Says in lines what a relay does. */
export function createTeller(output: Output, { baseUrl, target }: { baseUrl: string; target?: URL | undefined }) {
  const count = { forwarded: 0, failed: 0 }
  const hinted = new Set<number>()

  const hint = (status: number | null) => {
    const said = status === null ? undefined : HINTS[status]
    if (!said || hinted.has(status!)) return
    hinted.add(status!)
    output.warn({ type: 'hint', status, message: said }, (paint) => paint.yellow(`  ! ${said}`))
  }

  const listener: RelayListener = {
    ...connectionTeller(output, baseUrl, {
      what: 'events',
      ready: (line, cursor) =>
        output.data({ ...line, forward_to: target?.href ?? null, order: GUARANTEE }, (paint) =>
          [
            `${paint.green('✓')} following ${baseUrl} after event ${cursor}${target ? `, forwarding to ${paint.cyan(target.href)}` : ''}`,
            paint.dim(`  ${target ? GUARANTEE : 'only printed; --forward-to <url> sends them on'}`),
          ].join('\n'),
        ),
      resumed: (cursor) => `  connected again, going on after event ${cursor}`,
      begunAnew: 'The emulator has a fresh log; reading it from its start.',
      setBack: (cursor) => `The log was set back; going on after event ${cursor}.`,
      saysResumedInNewLog: true,
    }),
    targetIs(state, attempt) {
      const message = TARGET[state](target!.href, attempt)
      output.warn({ type: `target_${state}`, message, status: attempt.status, reason: attempt.error }, (paint) =>
        state === 'up' ? paint.dim(`  ${message}`) : paint.yellow(`! ${message}`),
      )
      if (state === 'failing') hint(attempt.status)
    },
    event(event, delivery) {
      const envelope = JSON.parse(event.body) as Envelope
      const outcome = delivery && {
        delivered: delivery.delivered,
        status: delivery.last.status,
        duration_ms: delivery.last.durationMs,
        attempts: delivery.attempts,
        error: delivery.last.error,
      }
      if (delivery) count[delivery.delivered ? 'forwarded' : 'failed']++
      output.data({ type: 'event', seq: event.seq, ...envelope, ...outcome }, (paint) =>
        [
          paint.dim(envelope.timestamp.slice(11, 23)),
          paint.bold(event.event.padEnd(20)),
          printable(subjectOf(envelope)),
          ...(delivery ? [outcomeOf(delivery.last, delivery.delivered, delivery.attempts, paint)] : []),
        ].join('  '),
      )
      if (delivery && !delivery.delivered) hint(delivery.last.status)
    },
  }
  return {
    ...listener,
    stopped: (cursor: number | undefined) =>
      output.data({ type: 'stopped', cursor: cursor ?? null, ...count }, (paint) =>
        paint.dim(
          `stopped after event ${cursor ?? 0}; ${count.forwarded} forwarded, ${count.failed} failed. Go on with --from ${cursor ?? 0}`,
        ),
      ),
  }
}

const TARGET: Readonly<Record<TargetState, (url: string, attempt: Attempt) => string>> = {
  down: (url) => `Nobody answers at ${url}; waiting for it …`,
  up: (url) => `${url} answers again.`,
  failing: (url, { status, error }) =>
    `${url} ${status === null ? `gave no answer (${error})` : `answered ${status}`}; trying again …`,
}

const CHECK =
  'check that your server verifies the raw body, before any JSON parsing, with this secret: sandbox listen --print-secret'
const HINTS: Readonly<Record<number, string>> = {
  400: `Your server answered 400: ${CHECK}`,
  401: `Your server answered 401: ${CHECK}`,
  403: `Your server answered 403: ${CHECK}`,
}

/** What the event is about. */
export function subjectOf({ id, data }: Envelope): string {
  const names = ['message_id', 'contact_id', 'run_id', 'campaign_id', 'agent_id', 'channel_id']
  const name = names.find((field) => typeof data[field] === 'string')
  return name ? String(data[name]) : id
}

function outcomeOf({ status, durationMs, error }: Attempt, delivered: boolean, attempts: number, paint: Paint): string {
  const tries = attempts > 1 ? ` after ${attempts} tries` : ''
  if (delivered) return `${paint.green(String(status))} ${paint.dim(`${durationMs} ms${tries}`)}`
  return paint.red(`failed: ${status ?? error}${tries}; skipped`)
}
