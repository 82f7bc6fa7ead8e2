import { call, isReplayed, type OperationInfo, resultOf, routeOf } from '../../client/call.ts'
import { isThisMachine } from '../../http/request.ts'
import { isRecord } from '../../words/json.ts'
import { kebab } from '../../words/kebab.ts'
import { effectOf, isControl, pathNames, placeOf } from '../../words/operation.ts'
import { allPages, pagedBy } from '../output/pages.ts'
import type { Paint } from '../output/paint.ts'
import { printable, printableIn } from '../output/printable.ts'
import { inEuros, inline, render } from '../output/render.ts'
import { EXIT, type ExitCode, usage } from '../process/exit.ts'
import type { Session } from '../session/session.ts'
import { sendUntilAccepted } from '../session/wizard.ts'
import { REPEATED } from '../target/call-operation.ts'
import { requireSandbox } from '../target/emulator-only.ts'
import type { Field } from './fields.ts'
import { type CommandPlan, isEmptyRequest, lackingAny, payloadOf } from './payload.ts'
import { recordOf } from './record-of.ts'

/** Makes the call of a command and prints the answer. */
export async function perform(
  session: Session,
  plan: CommandPlan,
  fields: Field[],
  args: string[],
  options: Record<string, unknown>,
): Promise<ExitCode | undefined> {
  await refuseUnfit(session, plan)
  const { operation, overlay } = plan
  const { io, endpoint, output } = session
  const params = await paramsOf(session, plan, args, options)
  if (effectOf(operation) === 'destroys' && !options.yes) await confirm(session, plan, args)
  const idempotencyKey = options.idempotencyKey as string | undefined
  const send = (request: unknown) => call(endpoint, operation, params, request, { idempotencyKey, signal: io.signal })
  const prompted = await payloadOf(session, plan, fields, args.slice(Object.keys(params).length), options)
  if (options.all) {
    const allRecords = await allPages(
      pagedBy(fields)!,
      async (request) => resultOf(await send(request)),
      prompted.request,
    )
    output.data(allRecords, (paint, shown) => answerInWords(plan, shown, paint, prompted.request))
    return EXIT.ok
  }
  const { answer, payload } = await sendUntilAccepted(session, prompted, async (request) => {
    const payload = isEmptyRequest(request, operation) ? undefined : request
    const answer = await send(payload).finally(overlay.meanwhile?.(session))
    if (answer.status >= 300) resultOf(answer, routeOf(operation, params))
    return { answer, payload }
  }).catch((error) => {
    throw lackingAny(plan, fields, prompted.request, error) ?? error
  })
  if (operation.media && answer.status < 300) {
    output.raw(answer.body)
    return EXIT.ok
  }
  const whole = resultOf(answer) ?? null
  const result = overlay.shorten && !output.isSelected ? overlay.shorten(whole) : whole
  const found = output.isForPeople && !output.isSelected ? await overlay.lookUp?.(session, result) : undefined
  output.data(result, (paint, shown) => {
    const fields = { ...printableIn(params), ...asFields(inEuros(shown, overlay.money ?? [])) }
    const isAllDone = overlay.done && (shown === null || operation.method === 'delete') && !overlay.forPeople
    return [
      ...doneLines(plan, answer.status, fields, paint),
      ...(isReplayed(answer) ? [REPEATED] : []),
      ...(isAllDone ? [] : [answerInWords(plan, shown, paint, payload, found)]),
    ].join('\n')
  })
  await overlay.remark?.(session, whole)
  return overlay.exitOf?.(whole)
}

async function refuseUnfit({ endpoint, output }: Session, { operation }: CommandPlan) {
  if (operation.method !== 'get' && !isControl(operation)) await endpoint.requireLive()
  if (output.isForPeople && operation.media && !/^text\/|yaml/.test(operation.media))
    throw usage(`${operation.media} cannot be shown on a terminal.`, 'Send it to a file: append > and a name.')
}

async function paramsOf(
  session: Session,
  { operation, overlay }: CommandPlan,
  args: readonly string[],
  options: Record<string, unknown>,
) {
  const params: Record<string, string> = {}
  const { endpoint } = session
  const names = pathNames(operation.path)
  const isLookedUp = names.some((name) => overlay.args?.[name]?.read)
  if (isLookedUp && !endpoint.showing) await requireSandbox(endpoint, operation)
  for (const [i, name] of names.entries()) {
    const argument = overlay.args?.[name]
    params[name] = argument?.found
      ? await recordOf(session, argument, args[i], { params, options })
      : ((await argument?.read?.(args[i]!, session)) ?? args[i]!)
  }
  return params
}

const answerInWords = (
  { operation, overlay }: CommandPlan,
  shown: unknown,
  paint: Paint,
  request: object | undefined,
  found: Readonly<Record<string, string>> = {},
): string =>
  overlay.forPeople?.(shown, paint, printableIn({ ...request }), found) ??
  render(shown, paint, { ...overlay, of: listedBy(operation) })

/** Asks on a terminal before data is destroyed, unless it is that of a sandbox on this machine. */
async function confirm({ endpoint, output }: Session, { variant }: CommandPlan, args: readonly (string | undefined)[]) {
  if (!output.canAsk || endpoint.showing) return
  if (isThisMachine(new URL(endpoint.baseUrl)) && (await endpoint.isEmulator())) return
  const what = [variant.summary, ...args.filter((arg) => typeof arg === 'string')].join(' ')
  const answer = await output.ask({ message: `${printable(what)} at ${endpoint.baseUrl}?`, choices: ['no', 'yes'] })
  if (answer !== 'yes') throw usage('Nothing was changed.', 'To answer yes in scripts, pass --yes.')
}

function doneLines(
  { overlay: { done } }: CommandPlan,
  status: number,
  fields: Record<string, unknown>,
  paint: Paint,
): string[] {
  const sentence = typeof done === 'object' ? done[status] : done
  if (sentence === undefined) return []
  return [`${paint.green('✓')} ${sentence.replace(/\{(\w+)\}/g, (_, name: string) => inline(fields[name]))}`]
}

const asFields = (value: unknown) => (isRecord(value) ? value : {})

/** The noun of a listed record: `webhooks.list` lists webhooks, `billing.invoices` invoices. */
function listedBy({ id }: OperationInfo): string {
  const { noun, verb } = placeOf({ id })
  return kebab(verb === 'list' ? noun : verb)
}
