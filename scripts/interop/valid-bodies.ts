import fc from 'fast-check'
import { exchange } from '../../src/http/exchange.ts'
import { createSandbox } from '../../src/index.ts'
import type { Part } from '../../src/openapi/document.ts'
import { type Call, readInterface } from '../fuzz/document.ts'
import { Known } from '../fuzz/known.ts'
import { valuesOf } from '../fuzz/values.ts'

/** A body that the document allows, and what came of it. */
export interface Tried {
  part: Part
  id: string
  body: unknown
  status: number
  said: string
}

/** These take all other answers with them. */
const LEFT_OUT = ['namespaces.reset', 'world.reset']

/**
 * Sends bodies that the documents allow, so many to each operation that takes one, each to a world as it starts, and
 * says which are refused all the same. The same seed sends the same.
 */
export async function tryValidBodies({ seed, each }: { seed: number; each: number }): Promise<Tried[]> {
  await using sandbox = await createSandbox()
  const tried: Tried[] = []
  for (const part of ['service', 'control'] as const) {
    const { calls, named } = readInterface(part)
    for (const call of calls) {
      if (!call.body || LEFT_OUT.includes(call.id)) continue
      const bodies = valuesOf(call.body.schema, named).filter((value) => call.body!.fault(value) === undefined)
      await sandbox.reset()
      const known = new Known()
      for (const value of fc.sample(bodies, { seed, numRuns: each })) {
        const body = known.fill(JSON.stringify(value))
        tried.push({ part, id: call.id, body: JSON.parse(body), ...(await sent(sandbox.url, call, body)) })
      }
    }
  }
  return tried
}

async function sent(base: string, call: Call, body: string): Promise<Pick<Tried, 'status' | 'said'>> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(call, name)))
  const answer = await exchange({
    method: call.method,
    url: new URL(path, base),
    headers: { Authorization: 'Bearer sk_sandbox_default', 'Content-Type': 'application/json' },
    body,
    timeoutMs: 60_000,
  })
  return { status: answer.status, said: answer.body.toString() }
}

function exampleOf({ parameters }: Call, name: string): string {
  const { example, schema } = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)!
  return String(example ?? (schema.examples as unknown[] | undefined)?.[0] ?? name)
}

/** Refused because of the body alone, whatever the world is like. */
export const isRefused = ({ status }: Tried): boolean => status === 400
