import type { ServerResponse } from 'node:http'
import type { CallEffect, CallFault } from '../controls/faults/calls.ts'
import { bytesKept } from '../controls/faults/rules.ts'
import { problem } from '../words/problem.ts'
import { pause } from '../world/machine-time.ts'
import type { World } from '../world/world.ts'
import type { AnswerHead } from './admission.ts'
import { leaving, writeEnvelope } from './answer.ts'

interface FaultContext {
  world: World
  res: ServerResponse
  head: AnswerHead
  /** Aborts when the server stops. */
  stopping: AbortSignal
}

/** The faults on a call; a promise where they depend on the body. */
export type FaultResult = CallFault | undefined | Promise<CallFault | undefined>

/** Applies faults around `answer`, which carries out the call. */
export async function underFault(pending: FaultResult, context: FaultContext, answer: () => Promise<void>) {
  const fault = await pending
  if (!fault) return answer()
  const { world, res, head, stopping } = context
  if (fault.id !== undefined) head['X-Sandbox-Fault'] = fault.id
  Object.assign(head, fault.headers)
  // Counts are committed before the answer is sent.
  await world.whenCommitted()
  if (fault.latencyMs > 0 && !(await pause(fault.latencyMs, leaving(res, stopping)))) {
    if (stopping.aborted) throw problem('shutting_down')
    return
  }
  const { effect } = fault
  if (!effect) return answer()
  const strike = effects[effect.kind] as (
    effect: CallEffect,
    context: FaultContext,
    answer: () => Promise<void>,
  ) => unknown
  await strike(effect, context, answer)
}

type Effects = {
  [Kind in CallEffect['kind']]: (
    effect: Extract<CallEffect, { kind: Kind }>,
    context: FaultContext,
    answer: () => Promise<void>,
  ) => unknown
}

const effects: Effects = {
  refuse({ status, body, headers }, { res, head }) {
    // Everything else in an envelope is known before the request.
    const envelope = 'request_id' in body ? { ...body, request_id: head['X-Request-Id'] } : body
    writeEnvelope(res, Object.assign(head, headers), status, envelope)
  },
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

/** Replaces how the answer is sent, for successes and refusals. */
function endWith(res: ServerResponse, send: (body: Buffer) => void) {
  res.end = ((body?: string | Buffer) => {
    send(Buffer.from(body ?? ''))
    return res
  }) as typeof res.end
}

const reset = (res: ServerResponse) => void res.socket?.resetAndDestroy()

/** Sends the head with the full length, then a part of the body, and closes. */
function cut(res: ServerResponse, part: Buffer) {
  // Without a body only the head can be lost.
  if (res.statusCode === 204) return reset(res)
  res.flushHeaders()
  if (part.length > 0) res.write(part)
  res.socket?.destroySoon()
}
