import { junitOfChecks } from '../../../handlers/report/junit.ts'
import { sarifOf } from '../../../handlers/report/sarif.ts'
import { type Result, verifyHandler } from '../../../handlers/verify/suite.ts'
import { progressBar } from '../../output/progress.ts'
import { EXIT, type ExitCode } from '../../process/exit.ts'
import { writeWhole } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { connectionFailure, handlerSecret } from '../../target/handler.ts'
import { guardLive } from '../../target/live-guard.ts'
import { selectChecks } from './select-checks.ts'
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
  const { url, timeout: timeoutMs, live = false, details = false, header: headers, junit, sarif } = flags
  const checks = selectChecks(flags)
  guardLive(url, { live, what: 'a handler there takes what is posted for real events' })
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
      if (!io.signal.aborted || results.length === 0) throw connectionFailure(error, io.signal)
    })
    .finally(progress.end)
  if (junit !== undefined) await writeWhole(io, junit, Buffer.from(junitOfChecks(url.href, results)), { force: true })
  if (sarif !== undefined) await writeWhole(io, sarif, Buffer.from(sarifOf(url.href, results)), { force: true })
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
  // What passed needs no words; reports have all of it.
  const shown = details ? results : results.filter(({ outcome }) => outcome === 'failed')
  output.data({ url: url.href, ...counts, checks: shown }, (paint) => tableOf(results, counts, { details, paint }))
  if (io.signal.aborted) return EXIT.interrupted
  return counts.failed > 0 ? EXIT.expectation : EXIT.ok
}
