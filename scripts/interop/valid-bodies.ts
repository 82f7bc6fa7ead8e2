import fc from 'fast-check'
import { exchange } from '../../src/http/exchange.ts'
import { createSandbox } from '../../src/index.ts'
import type { Part } from '../../src/openapi/document.ts'
import { type Call, readInterface } from '../fuzz/document.ts'
import { SeenIds } from '../fuzz/seen-ids.ts'
import { valuesOf } from '../fuzz/values.ts'

/** A body that the document allows, with its answer. */
export interface Tried {
  part: Part
  id: string
  body: unknown
  status: number
  text: string
}

/** These operations would reset the world of the others. */
const LEFT_OUT = ['namespaces.reset', 'world.reset']

/**
 * Sends bodies that the documents allow, `each` of them to every operation with a body, each to a fresh world, and returns
 * their answers. A run repeats with its seed.
 */
export async function tryValidBodies({ seed, each }: { seed: number; each: number }): Promise<Tried[]> {
  await using sandbox = await createSandbox()
  const tried: Tried[] = []
  for (const part of ['service', 'control'] as const) {
    const { calls, named } = readInterface(part)
    for (const call of calls) {
      if (!call.body || LEFT_OUT.includes(call.id)) continue
      await sandbox.reset()
      const ids = new SeenIds()
      await ids.learnWorld(sandbox.url)
      const bodies = valuesOf(call.body.schema, named)
        .map((value) => JSON.parse(ids.fill(JSON.stringify(value))) as unknown)
        .filter((body) => call.body!.fault(body) === undefined)
      for (const body of fc.sample(bodies, { seed, numRuns: each }))
        tried.push({ part, id: call.id, body, ...(await sent(sandbox.url, call, JSON.stringify(body))) })
    }
  }
  return tried
}

async function sent(base: string, call: Call, body: string): Promise<Pick<Tried, 'status' | 'text'>> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(call, name)))
  const answer = await exchange({
    method: call.method,
    url: new URL(path, base),
    headers: { Authorization: 'Bearer sk_sandbox_default', 'Content-Type': 'application/json' },
    body,
    timeoutMs: 60_000,
  })
  return { status: answer.status, text: answer.body.toString() }
}

function exampleOf({ parameters }: Call, name: string): string {
  const { example, schema } = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)!
  return String(example ?? (schema.examples as unknown[] | undefined)?.[0] ?? name)
}

export const isRefused = ({ status }: Tried): boolean => status === 400

/** Rules that JSON Schema cannot express, with the refusals that name them. */
const BEYOND_SCHEMAS: readonly (readonly [rule: string, text: RegExp])[] = [
  ['shares that add up', /and must be 1|together they can be at most 1/],
  ['the shorter end of a range first', /must start with its smaller value/],
  [
    'ways of a flow that lead to its nodes, and to an END',
    /no node is named|nothing follows|no way leads|leads back to/,
  ],
  [
    'what is there in this world',
    /must be a carrier of this world|is a template for|is no variable|RCS sends take agent_id|is beyond the log/,
  ],
  ['the time of this world', /time does not run backwards|must not lie in the past/],
  [
    'what is set already',
    /a contact must keep|only with the outcome failed|required with the outcome failed|if messages are answered|if links are clicked/,
  ],
]

/** Returns the rule beyond schemas that refused a body; undefined without one. */
export const ruleBeyondSchemas = ({ text }: Tried): string | undefined => {
  const { message } = JSON.parse(text) as { message: string }
  return BEYOND_SCHEMAS.find(([, pattern]) => pattern.test(message))?.[0]
}
