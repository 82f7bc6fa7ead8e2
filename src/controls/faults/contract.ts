import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { withRules } from '../../words/field-conditions.ts'
import { Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { faultRules, refusalMistakes } from './check.ts'
import { FaultFields } from './fields.contract.ts'

export const about: About = {
  name: 'faults',
  group: 'Simulated network',
  summary: 'Make API calls and webhook deliveries fail or slow down',
}

/** Per world: each call and attempt is held against all of them. */
export const MAX_FAULTS = 1_000

export type FaultInput = FaultFields

/** A fault as given by a user. Whether its routes exist is checked in the world, which knows the operations. */
export const FaultInput = withRules(
  FaultFields.check(({ value, issues }) => {
    for (const { field, code, message } of refusalMistakes(value))
      issues.push({ code: 'custom', input: value, message, params: { code }, path: [field], continue: true })
  }),
  ...faultRules,
).meta({ example: { routes: ['messages.send'], status: 503, times: 3 } })

const FaultId = z
  .string()
  .regex(/^flt_/, 'must be the id of a fault: flt_…')
  .meta({ id: 'FaultId', description: 'Id of a fault.', example: 'flt_00000000-0000-4000-8000-000000000001' })

const Fault = z
  .strictObject({
    id: FaultId,
    target: z.enum(['api', 'webhooks']).describe('Calls or deliveries that the fault matches.'),
    ...FaultFields.shape,
    does: z.string().describe('The fault in one sentence.'),
    seen: z.int().describe('Number of matching calls or attempts while the fault was active.'),
    hits: z.int().describe('Number of calls or attempts that the fault changed.'),
    active: z.boolean().describe('Whether the fault is active; false after its last use.'),
    created_at: Timestamp.describe('Time at which the fault was added.'),
  })
  .meta({ id: 'Fault', description: 'A fault for calls or deliveries, with its statistics.' })

const onFault = {
  access: 'namespace',
  params: {
    id: z.string().min(1).describe('Id of the fault.').meta({ example: 'flt_00000000-0000-4000-8000-000000000001' }),
  },
  output: Fault,
} as const

export const addFault = operation({
  id: 'faults.add',
  summary: 'Add a fault for API calls or webhook deliveries',
  call: 'POST /_sandbox/faults',
  access: 'namespace',
  body: FaultInput,
  output: Fault,
  status: 201,
  problems: ['not_found', 'limit_exceeded'],
})

export const listFaults = operation({
  id: 'faults.list',
  summary: 'List faults in the order in which they apply',
  details: 'Each fault comes with the number of calls and deliveries that it changed.',
  call: 'GET /_sandbox/faults',
  access: 'namespace',
  output: z.strictObject({ faults: z.array(Fault).describe('Faults in the order in which they apply.') }),
})

export const showFault = operation({
  ...onFault,
  id: 'faults.show',
  summary: 'Show a fault',
  call: 'GET /_sandbox/faults/{id}',
})

export const removeFault = operation({
  ...onFault,
  id: 'faults.remove',
  summary: 'Remove a fault',
  call: 'DELETE /_sandbox/faults/{id}',
})

export const clearFaults = operation({
  id: 'faults.clear',
  summary: 'Remove all faults',
  call: 'DELETE /_sandbox/faults',
  access: 'namespace',
  output: z.strictObject({ removed: z.int().describe('Number of faults removed.') }),
})
