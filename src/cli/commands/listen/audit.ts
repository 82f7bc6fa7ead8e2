import { type Breach, createAuditor } from '../../../handlers/audit/audit.ts'
import { seenRequest } from '../../../handlers/audit/seen.ts'
import { relay } from '../../../relay/relay.ts'
import type { LogEvent } from '../../../relay/stream.ts'
import { printable } from '../../output/printable.ts'
import type { Session } from '../../session/session.ts'

const REQUESTS_STREAM = '/_sandbox/requests/stream'

/**
 * Reports requests to the sandbox that break an invariant. Events that the listener filters out, and earlier ones,
 * count as well: they decide who must not be sent to.
 */
export async function auditUntil({ endpoint, output }: Session, signal: AbortSignal): Promise<void> {
  const auditor = createAuditor()
  const tell = ({ code, message, remedy, docs }: Breach) =>
    output.item({ type: 'breach', code, message, remedy, docs }, (paint) =>
      [`${paint.red('✗')} ${paint.bold(code)}: ${printable(message)}`, `  ${remedy} ${paint.dim(docs)}`].join('\n'),
    )
  let count = 0
  /** The listener reports the rest of the connection. */
  const connected = () => {
    if (++count === 2) output.item({ type: 'auditing' }, (paint) => paint.dim('  checking the calls to the sandbox'))
  }
  const follow = (
    options: { path?: string; query?: Record<string, string>; since?: string },
    each: (item: LogEvent) => void,
  ) => relay({ ...endpoint, ...options, signal, on: { connected, event: each } })
  await Promise.all([
    follow({ since: 'start' }, ({ body }) => void auditor.see({ kind: 'event', body })),
    follow({ path: REQUESTS_STREAM, query: { full: 'true', path: '/v1/' } }, ({ body }) => {
      for (const breach of auditor.see(seenRequest(JSON.parse(body)))) tell(breach)
    }),
  ])
}
