import { definedFields } from '../../../../words/fields.ts'
import { fieldOf } from '../../../generate/form.ts'
import { usage } from '../../../process/exit.ts'
import { objectIn } from '../../../process/files.ts'
import type { Session } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'
import { oneOrAll } from '../one-or-all.ts'
import { tellAll, tellOne } from '../tell.ts'

export const choicesOf = (field: string) => fieldOf('carriers.update', field).choices!

/** The reasons why messages of a carrier may fail. */
export const REASONS = choicesOf('failed')

export interface SetFlags {
  data?: string
  all?: boolean
  preset?: string
  fail?: FailingShare[]
  reason?: string
  delivered?: number
  never?: number
  read?: number
  delay?: string
  dispatchDelay?: string
  failureDelay?: string
  readDelay?: string
  outage?: boolean
  throughput?: number | 'off'
  weight?: number
}

/** A share of failures, with its reason in the option or in --reason. */
export interface FailingShare {
  share: number
  reason?: string
}

export async function set(session: Session, [carrier]: [string?], { all, ...flags }: SetFlags) {
  const name = oneOrAll(carrier, all)
  const payload = await bodyOf(session, flags)
  if (name === undefined)
    tellAll(session, await callOperation(session, 'carriers.updateAll', { payload }), 'are changed')
  else tellOne(session, await callOperation(session, 'carriers.update', { params: { name }, payload }), 'is changed')
}

async function bodyOf({ io }: Session, flags: SetFlags): Promise<Record<string, unknown>> {
  const body = flags.data === undefined ? {} : await objectIn(io, flags.data)
  const settings = {
    preset: flags.preset,
    failed: failedOf(flags),
    never_delivered: flags.never,
    delivered: flags.delivered,
    read: flags.read,
    delivery_delay: flags.delay,
    dispatch_delay: flags.dispatchDelay,
    failure_delay: flags.failureDelay,
    read_delay: flags.readDelay,
    outage: flags.outage,
    throughput: flags.throughput === 'off' ? null : flags.throughput,
    weight: flags.weight,
  }
  const changed = definedFields(settings)
  if (Object.keys(changed).length === 0 && flags.data === undefined)
    throw usage('Nothing to change.', 'See: sandbox carriers set --help')
  return { ...body, ...changed }
}

/** Reads `--fail 20% --reason X` and `--fail X=20%` alike; refuses a reason given twice. */
function failedOf({ fail, reason }: SetFlags): Record<string, number> | undefined {
  if (fail === undefined) {
    if (reason !== undefined) throw usage('--reason needs --fail, the share of messages that fail for this reason.')
    return undefined
  }
  const withoutReason = fail.filter((failure) => failure.reason === undefined)
  if (reason !== undefined && withoutReason.length === 0)
    throw usage('Each --fail already has its reason, so --reason has no effect.')
  if (withoutReason.length > 1)
    throw usage('Two --fail options have the same reason.', 'Write --fail REASON=share for each reason.')
  if (reason === undefined && withoutReason.some(({ share }) => share > 0))
    throw usage('Missing reason of --fail.', `Pass --reason, one of ${REASONS.join(', ')}.`)
  const shares: Record<string, number> = {}
  for (const failure of fail) {
    const why = failure.reason ?? reason
    if (why === undefined) continue
    if (why in shares) throw usage(`${why} is given twice.`)
    shares[why] = failure.share
  }
  return shares
}
