import { junitOfChecks } from '../../../handlers/report/junit.ts'
import { sarifOfChecks } from '../../../handlers/report/sarif.ts'
import { type Check, groups } from '../../../handlers/verify/check.ts'
import { checks, type Result, repetitionsIn, verifyHandler, WRONG } from '../../../handlers/verify/suite.ts'
import { shownUrl } from '../../../words/redact.ts'
import { suggest } from '../../../words/suggest.ts'
import { progressBar } from '../../output/progress.ts'
import { EXIT, type ExitCode, usage } from '../../process/exit.ts'
import { refuseUnwritable, writeWhole } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { connectionFailure, handlerSecret } from '../../target/handler.ts'
import { guardLive } from '../../target/live-guard.ts'
import { tableOf } from './tell.ts'

export interface VerifyFlags {
  url: URL
  secret?: string
  oldSecret?: string
  only?: string[]
  skip?: string[]
  timeout: number
  live?: boolean
  details?: boolean
  header?: Record<string, string>
  junit?: string
  sarif?: string
}

export async function verify(session: Session, flags: VerifyFlags): Promise<ExitCode> {
  const { io, output } = session
  const { url, timeout: timeoutMs, live, details = false, header: headers, junit, sarif } = flags
  const checks = selectChecks(flags)
  for (const file of [junit, sarif]) if (file !== undefined) await refuseUnwritable(io, file, { force: true })
  guardLive(url, 'a handler', live)
  const secret = await handlerSecret(session, flags.secret)
  const oldSecret = flags.oldSecret ?? (io.env.SANDBOX_WEBHOOK_OLD_SECRET || undefined)
  const progress = progressBar(session)
  const results: Result[] = []
  const onResult = (result: Result) => {
    results.push(result)
    progress.show(results.length / checks.length, result.check)
  }
  const receiver = { url, secret, timeoutMs, headers, network: session.endpoint.network, signal: io.signal }
  await verifyHandler({ receiver, oldSecret, checks, onResult })
    .catch((error) => {
      // Results before Ctrl-C are reported.
      if (!io.signal.aborted || results.length === 0) throw connectionFailure(error, session, url)
    })
    .finally(progress.end)
  if (junit !== undefined)
    await writeWhole(io, junit, junitOfChecks(shownUrl(url), results), { force: true, isPublic: true })
  if (sarif !== undefined)
    await writeWhole(io, sarif, sarifOfChecks(shownUrl(url), results), { force: true, isPublic: true })
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
  // Passed checks are not printed; reports contain all.
  const repetitions = repetitionsIn(results)
  const shown = results
    .filter(({ outcome }) => details || outcome === 'failed')
    .map((result) => (repetitions.has(result) ? repetition(result) : result))
  output.data({ url: shownUrl(url), ...counts, checks: shown }, (paint) => tableOf(results, counts, { details, paint }))
  if (io.signal.aborted) return EXIT.interrupted
  return counts.failed > 0 ? EXIT.expectation : EXIT.ok
}

const repetition = ({ check, group, outcome, received }: Result) => ({
  check,
  group,
  outcome,
  received,
  same_as: WRONG,
})

/** `accepts` stands for the check of each event: `accepts-message.read` and so on. */
const ACCEPTS = 'accepts'

const selectable = [ACCEPTS, ...groups, ...checks.map(({ name }) => name)]

/** Selects checks by names and groups. */
function selectChecks({ only, skip = [] }: { only?: string[]; skip?: string[] }): readonly Check[] {
  for (const [flag, names] of Object.entries({ only: only ?? [], skip }))
    for (const name of names)
      if (!selectable.includes(name))
        throw usage(
          `--${flag}: unknown check or group "${name}"${suggest(name, selectable)}`,
          `Groups: ${groups.join(', ')}.`,
        )
  const isNamed = ({ name, group }: Check, names: readonly string[]) =>
    names.includes(name) || names.includes(group) || (names.includes(ACCEPTS) && name.startsWith(`${ACCEPTS}-`))
  const chosen = checks.filter((check) => (!only || isNamed(check, only)) && !isNamed(check, skip))
  if (chosen.length === 0) throw usage('No check is left: --skip excludes all that --only selects.')
  return chosen
}
