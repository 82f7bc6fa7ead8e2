import { operationOf } from '../../client/operation-of.ts'
import { isControl } from '../../words/operation.ts'
import type { Scenario } from '../parse.ts'
import { titleOf } from '../run.ts'
import type { Step, StepOf } from '../schema.ts'
import type { Probe } from './probes.ts'

/** Operations that send a real message. */
const SENDS: readonly string[] = ['messages.send', 'testAgent.send']

/**
 * Selects the calls of a scenario that can be compared: reads and, where writing is allowed, refused writes and sends.
 * Other writes are not made at a service. A repeated step is called once.
 */
export function probesOf(scenario: Scenario, live: boolean): readonly Probe[] {
  let set: Record<string, unknown> = {}
  return callsIn(scenario.steps).flatMap((step) => {
    if (step.verb === 'set') {
      set = { ...set, ...step.set }
      return []
    }
    const probe = probeOf(step, scenario)
    if (!probe || (probe.live && !live)) return []
    const withSet = { ...probe, set }
    set = {}
    return [withSet]
  })
}

const callsIn = (steps: readonly Step[]): (StepOf<'call'> | StepOf<'set'>)[] =>
  steps.flatMap((step) => {
    if (step.on !== undefined) return []
    if ('steps' in step) return callsIn(step.steps)
    return step.verb === 'call' || step.verb === 'set' ? [step] : []
  })

function probeOf(step: StepOf<'call'>, { place }: Scenario): Probe | undefined {
  const operation = operationOf(step.call)
  const live = kindOf(step)
  if (isControl(operation) || live === 'other') return undefined
  return {
    name: `${titleOf(step)} (line ${place(step.path).line})`,
    operation: step.call,
    with: step.with ?? {},
    save: step.save ?? {},
    ...(step.idempotency_key === undefined ? {} : { idempotencyKey: step.idempotency_key }),
    ...(live === 'read' ? {} : { live }),
  }
}

function kindOf({ call, refused, status = 200 }: StepOf<'call'>): 'read' | 'send' | 'refusal' | 'other' {
  if (operationOf(call).method === 'get') return 'read'
  if (SENDS.includes(call)) return 'send'
  return refused !== undefined || status >= 400 ? 'refusal' : 'other'
}
