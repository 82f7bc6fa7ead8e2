import type { ServerResponse } from 'node:http'
import type { CallEffect, CallFault } from '../controls/faults/calls.ts'
import { bytesKept } from '../controls/faults/rules.ts'
import { problem } from '../words/problem.ts'
import { pause } from '../world/machine-time.ts'
import type { World } from '../world/world.ts'
import type { Head } from './admission.ts'
import { leaving, writeEnvelope } from './answer.ts'

interface Struck {
  world: World
  res: ServerResponse
  head: Head
  /** Aborts when the server stops. */
  stopping: AbortSignal
}

/** What the faults of a world make of a call; a promise where that depends on its body. */
export type Met = CallFault | undefined | Promise<CallFault | undefined>

/** Answers a call that may have met faults. `answer` does what the call is for, and answers it. */
export async function underFault(met: Met, struck: Struck, answer: () => Promise<void>) {
  const fault = await met
  if (!fault) return answer()
  const { world, res, head, stopping } = struck
  if (fault.id !== undefined) head['X-Sandbox-Fault'] = fault.id
  Object.assign(head, fault.headers)
  // What was counted must hold before anybody sees it.
  await world.whenCommitted()
  if (fault.latencyMs > 0 && !(await pause(fault.latencyMs, leaving(res, stopping)))) {
    if (stopping.aborted) throw problem('shutting_down')
    return
  }
  const { effect } = fault
  if (!effect) return answer()
  const strike = effects[effect.kind] as (effect: CallEffect, struck: Struck, answer: () => Promise<void>) => unknown
  await strike(effect, struck, answer)
}

type Effects = {
  [Kind in CallEffect['kind']]: (
    effect: Extract<CallEffect, { kind: Kind }>,
    struck: Struck,
    answer: () => Promise<void>,
  ) => unknown
}

const effects: Effects = {
  refuse: ({ status, body, headers }, { res, head }) => writeEnvelope(res, Object.assign(head, headers), status, body),
  reset({ when }, { res }, answer) {
    if (when === 'before') return reset(res)
    endWith(res, () => reset(res))
    return answer()
  },
  truncate({ truncate }, { res }, answer) {
    endWith(res, (body) => cut(res, body.subarray(0, bytesKept(truncate, body.length))))
    return answer()
  },
}

/** Whatever the answer becomes, a success or a refusal, this is how it leaves. */
function endWith(res: ServerResponse, leave: (body: Buffer) => void) {
  res.end = ((body?: string | Buffer) => {
    leave(Buffer.from(body ?? ''))
    return res
  }) as typeof res.end
}

const reset = (res: ServerResponse) => void res.socket?.resetAndDestroy()

/** The head promises the whole body; the connection ends after a part of it. */
function cut(res: ServerResponse, part: Buffer) {
  // An answer without a body has nothing but its head to lose.
  if (res.statusCode === 204) return reset(res)
  res.flushHeaders()
  if (part.length > 0) res.write(part)
  res.socket?.destroySoon()
}
