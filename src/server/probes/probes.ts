import type { RequestListener } from 'node:http'
import { problem } from '../../words/problem.ts'
import { pathOf } from '../admission.ts'
import { writeEnvelope, writeProblem } from '../answer.ts'

export const LIVE = '/_sandbox/live'
const READY = '/_sandbox/ready'
export const PROBE_PATHS: readonly string[] = [LIVE, READY]

/** Answers balancers for this process, with neither world nor credentials. `isReady` may reject. */
export const answeringProbes =
  (answer: RequestListener, isReady: () => Promise<boolean>): RequestListener =>
  (req, res) => {
    const path = pathOf(req)
    if (!PROBE_PATHS.includes(path) || (req.method !== 'GET' && req.method !== 'HEAD')) return answer(req, res)
    const head = { 'Cache-Control': 'no-store' }
    const readiness = path === LIVE ? Promise.resolve(true) : isReady().catch(() => false)
    void readiness.then((isFine) => {
      if (isFine) writeEnvelope(res, head, 200, { status: 'ok' })
      else writeProblem(res, head, problem('shutting_down', 'This process takes no requests now.'))
    })
  }
