import type { Delivery } from '../../../relay/deliver.ts'
import type { Envelope } from '../../../relay/envelope.ts'
import { isAccepted, post } from '../../../relay/forward.ts'
import { type ReceivedWebhook, startReceiver } from '../../../relay/receiver.ts'
import { register, staleEndpoints, unregister } from '../../../relay/registration.ts'
import { accepts, type ForwardRoute } from '../../../relay/route.ts'
import { isSubscribed } from '../../../words/event-patterns.ts'
import { holdAll } from '../../../words/where.ts'
import { aborted } from '../../process/abortable.ts'
import { EXIT, type ExitCode, misconfigured, usage } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { writeEnvFile } from './env-file.ts'
import { type ForwardFlags, routesFor, shownTargets, targetLines } from './routes.ts'
import { SOURCES } from './sources.ts'
import { createTeller, type Teller } from './tell.ts'

export interface ReceiveFlags extends ForwardFlags {
  publicUrl: URL
  port: number
  prune?: boolean
}

/** Registers an endpoint for the public end of a tunnel, and receives webhooks until it is stopped. */
export async function receive(session: Session, flags: ReceiveFlags): Promise<ExitCode> {
  const { io, output, endpoint } = session
  const url = flags.publicUrl.href
  if (flags.prune) await prune(session, url)
  else await warnLeftBehind(session, url)
  let secret: string | undefined
  const routes = routesFor(session, flags, '')
  const teller = createTeller(output, {
    baseUrl: endpoint.baseUrl,
    routes,
    order: 'none',
    retries: 0,
    source: SOURCES.receive,
  })
  const receiver = await startReceiver({
    port: flags.port,
    secret: () => secret,
    take: forwardingTo(routes, flags, teller, io.signal),
    refused(why, { headers }) {
      const message = `A request ${why}; it was answered 401 and not forwarded.`
      output.warn({ type: 'refused', message, event_id: headers['x-service-event-id'] ?? null })
    },
  }).catch((error: NodeJS.ErrnoException) => {
    throw usage(
      `Port ${flags.port} cannot be used: ${error.message}.`,
      'Point the tunnel at another port, and pass that with --port.',
    )
  })
  try {
    const chosenSecret = flags.secret ?? (io.env.SANDBOX_WEBHOOK_SECRET || undefined)
    const made = await register(endpoint, { url, events: flags.events ?? ['*'], secret: chosenSecret })
    try {
      if (!made.secret)
        throw misconfigured('The service has returned no secret for the endpoint.', 'Pass one with --secret.')
      secret = made.secret
      if (flags.writeEnv !== undefined) await writeEnvFile(io, flags.writeEnv, secret)
      ready(session, { id: made.id, url, port: receiver.port, routes })
      await aborted(io.signal)
    } finally {
      await unregisterEndpoint(session, made.id)
    }
  } finally {
    await receiver.close()
  }
  if (io.signal.reason !== 'EPIPE') teller.stopped(undefined)
  return EXIT.ok
}

/** Forwards one webhook; the answer of the local servers becomes the answer to the service. */
function forwardingTo(
  routes: readonly ForwardRoute[],
  { where = [], not = [] }: ReceiveFlags,
  teller: Teller,
  signal: AbortSignal,
) {
  let count = 0
  return async ({ body, headers }: ReceivedWebhook): Promise<number> => {
    const envelope = JSON.parse(body.toString()) as Envelope
    if (isSubscribed(not, envelope.event) || !holdAll(where, envelope)) return 204
    const wanted = routes.filter((route) => accepts(route, envelope.event))
    const deliveries = await Promise.all(wanted.map((route) => pass(route, body, headers, signal)))
    teller.event({ seq: ++count, event: envelope.event, body: body.toString() }, deliveries)
    const failed = deliveries.find(({ delivered }) => !delivered)
    return failed ? (failed.last.status ?? 503) : 200
  }
}

/** Headers that concern one connection are not forwarded. */
const HOP_BY_HOP =
  /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect|accept-encoding|proxy-.*)$/

async function pass(
  route: ForwardRoute,
  body: Buffer,
  headers: ReceivedWebhook['headers'],
  signal: AbortSignal,
): Promise<Delivery> {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name))
  const last = await post(route.target, body, Object.fromEntries(kept), signal)
  return { route, delivered: isAccepted(last), attempts: 1, last }
}

interface Registration {
  id: string
  url: string
  port: number
  routes: readonly ForwardRoute[]
}

function ready({ output, endpoint: { baseUrl } }: Session, { id, url, port, routes }: Registration) {
  const targets = shownTargets(routes)
  const policy =
    'your servers get the bytes and the signature of the service; their answers go back to it, and it retries on its own schedule'
  output.item({ type: 'ready', url: baseUrl, endpoint_id: id, public_url: url, port, targets, policy }, (paint) =>
    [
      `${paint.green('✓')} registered ${paint.cyan(url)} at ${baseUrl}; point it at http://localhost:${port}`,
      ...targetLines(targets, paint),
      paint.dim(targets.length === 0 ? '  printed only; --forward-to <url> forwards them' : `  ${policy}`),
      paint.dim(`  endpoint ${id} is removed when this command ends; stop with Ctrl-C`),
    ].join('\n'),
  )
}

/** Removes the endpoint, since the service would go on calling it. */
async function unregisterEndpoint({ output, endpoint }: Session, id: string) {
  try {
    await unregister(endpoint, id)
    output.warn({ type: 'unregistered', endpoint_id: id }, (paint) => paint.dim(`  endpoint ${id} is removed`))
  } catch (error) {
    const message = `The endpoint ${id} could not be removed: ${(error as Error).message}`
    const later = output.withProgramName(`sandbox webhooks delete ${id}`)
    output.warn({ type: 'left', endpoint_id: id, message, remove: later }, (paint, { message, remove }) =>
      paint.yellow(`! ${message}\n  ${remove}`),
    )
  }
}

/** Removes endpoints that killed listeners have left at the service. */
export async function prune({ output, endpoint }: Session, url: string | undefined): Promise<void> {
  const left = await staleEndpoints(endpoint, url)
  for (const { id } of left) await unregister(endpoint, id)
  output.item({ type: 'pruned', endpoints: left.map(({ id, url: of }) => ({ id, url: of })) }, (paint, shown) =>
    shown.endpoints.length === 0
      ? paint.dim('no endpoint of a killed listener is registered')
      : shown.endpoints.map((one) => `${paint.green('✓')} removed ${one.id}  ${one.url}`).join('\n'),
  )
}

async function warnLeftBehind({ output, endpoint }: Session, url: string) {
  const left = await staleEndpoints(endpoint, url)
  if (left.length === 0) return
  const message = `${left.length === 1 ? 'An endpoint of a listener that was killed is' : `${left.length} endpoints of listeners that were killed are`} still registered; --prune removes them.`
  output.warn({ type: 'left_behind', message, endpoints: left.map(({ id }) => id) })
}
