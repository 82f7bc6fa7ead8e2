import { currentHolder } from '../../../relay/cursor.ts'
import { relay } from '../../../relay/relay.ts'
import { kebab } from '../../../words/kebab.ts'
import { EXIT, type ExitCode, usage } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { requireEventLog } from '../../target/emulator-only.ts'
import { secretFor } from '../../target/handler.ts'
import { writeEnvFile } from './env-file.ts'
import { filtersOf, withPossible } from './filters.ts'
import { createKeys, KEYS } from './keys.ts'
import type { PollFlags } from './poll.ts'
import type { ReceiveFlags } from './receive.ts'
import { routesFor } from './routes.ts'
import { createTeller } from './tell.ts'

export interface ListenFlags extends PollFlags, Omit<ReceiveFlags, 'publicUrl'> {
  publicUrl?: URL
  poll?: boolean
  printSecret?: boolean
  audit?: boolean
}

export async function listen(session: Session, flags: ListenFlags): Promise<ExitCode> {
  if (flags.publicUrl || flags.prune || flags.poll) return ofService(session, flags)
  const { io, output, endpoint } = session
  await requireEventLog(session)
  const readSecret = async () => {
    const secret = await secretFor(session, flags.secret)
    if (flags.writeEnv !== undefined) await writeEnvFile(io, flags.writeEnv, secret)
    return secret
  }
  const secret = await readSecret()
  if (flags.printSecret) {
    // Printed bare for use in `$(…)`.
    output.raw(`${secret}\n`)
    return EXIT.ok
  }
  const routes = routesFor(session, flags, secret)
  const keys = output.canAsk ? io.keys : undefined
  const teller = createTeller(output, { ...flags, baseUrl: endpoint.baseUrl, routes, keys: keys && KEYS })
  const left = new AbortController()
  let release = () => {}
  const signal = AbortSignal.any([io.signal, left.signal])
  const audit = flags.audit ? (await import('./audit.ts')).auditUntil(session, signal) : undefined
  audit?.catch(() => left.abort())
  const { cursor } = await relay({
    ...endpoint,
    routes,
    query: await filtersOf(session, flags, routes),
    where: await withPossible(flags.where),
    order: flags.order,
    cursor: flags.cursor === undefined ? undefined : { name: flags.cursor, holder: currentHolder() },
    since: flags.since,
    retries: flags.retries,
    signal,
    on: {
      ...teller,
      async newLog(hello, progress) {
        teller.newLog(hello, progress)
        // Another world may have another secret.
        const secret = await readSecret()
        for (const { target } of routes) target.secret = secret
      },
    },
    started(dispatcher, failed) {
      const quit = () => left.abort()
      const echo = (text: string) => void io.stderr.write(text)
      release = keys?.(createKeys({ output, teller, dispatcher, echo, quit, failed })) ?? release
    },
  }).finally(() => release())
  await audit
  if (io.signal.reason !== 'EPIPE') teller.stopped(cursor)
  return EXIT.ok
}

/** Only a sandbox has a log to follow. Another service posts to an endpoint (--public-url) or is polled. */
async function ofService(session: Session, flags: ListenFlags): Promise<ExitCode> {
  const { publicUrl } = flags
  if (flags.poll && (publicUrl || flags.prune)) throw usage('Pass --poll or --public-url, not both.')
  const ofLog = (['printSecret', 'audit', ...(flags.poll ? [] : (['cursor', 'since'] as const))] as const).find(
    (name) => flags[name] !== undefined,
  )
  if (ofLog) throw usage(`--${kebab(ofLog)} is for the event log of a sandbox, which a service does not have.`)
  if (flags.poll) return (await import('./poll.ts')).poll(session, flags)
  const { prune, receive } = await import('./receive.ts')
  if (publicUrl) return receive(session, { ...flags, publicUrl })
  await prune(session, undefined)
  return EXIT.ok
}
