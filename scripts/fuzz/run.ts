import fc from 'fast-check'
import { exchange, type HttpAnswer } from '../../src/http/exchange.ts'
import { readInterface } from './document.ts'
import { faultOf, type Sent } from './judge.ts'
import { type Draft, requestsOf } from './requests.ts'
import { SeenIds } from './seen-ids.ts'

export interface Finding {
  /** Number of the request in its run, from 0. */
  n: number
  fault: string
  sent: Sent
  answer: HttpAnswer | undefined
}

export interface Outcome {
  findings: Finding[]
  /** The number of answers by operation and status. */
  sums: Map<string, Map<number, number>>
}

export interface RunOptions {
  /** Address of an emulator on this machine. */
  url: string
  seed: number
  requests: number
  onProgress?: (done: number) => void
}

/** Sends requests one after another, so that a run repeats with its seed. */
export async function fuzz({ url, seed, requests, onProgress }: RunOptions): Promise<Outcome> {
  const ids = new SeenIds()
  const outcome: Outcome = { findings: [], sums: new Map() }
  await ids.learnWorld(url)
  for (let nn = 50; nn < 60; nn++) ids.learn('', `"c_00000000-0000-4000-8000-0000000000${nn}"`)
  const drafts = fc.sample(requestsOf([readInterface('service'), readInterface('control')]), {
    seed,
    numRuns: requests,
  })
  for (const [n, draft] of drafts.entries()) {
    const sent = fill(draft, url, ids)
    const answer = await send(sent).catch((error: Error) => error)
    const fault = answer instanceof Error ? answer.message : faultOf(sent, answer)
    if (fault !== undefined)
      outcome.findings.push({ n, fault, sent, answer: answer instanceof Error ? undefined : answer })
    if (answer instanceof Error) continue
    count(outcome.sums, draft.call.id, answer.status)
    if (draft.call.id === 'faults.add') await clearFaults(url)
    if (answer.status < 300) ids.learn(sent.url.pathname, answer.body.toString())
    if (n % 1000 === 999) onProgress?.(n + 1)
  }
  return outcome
}

/** Removes faults, because they break answers on purpose. */
const clearFaults = (url: string) =>
  exchange({ method: 'DELETE', url: new URL('/_sandbox/faults', url), headers: {}, timeoutMs: 10_000 })

function fill(draft: Draft, base: string, ids: SeenIds): Sent {
  const path = Object.fromEntries(Object.entries(draft.path).map(([name, value]) => [name, ids.fill(value)]))
  const query = draft.query.map(([name, value]): [string, string] => [name, brief(name, ids.fill(value))])
  const url = new URL(
    draft.call.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(path[name]!)),
    base,
  )
  // Half a surrogate pair cannot be encoded and is sent as its replacement character.
  url.search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  const body = typeof draft.body === 'string' ? staying(ids.fill(draft.body)) : draft.body
  return { ...draft, path, query: query.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]), url, body }
}

/** Shortens a valid waiting time, because nothing arrives while a call of this run waits. */
const brief = (name: string, value: string) =>
  name === 'within' && /^\d+(\.\d+)?(ms|s|m|h|d)$/.test(value) ? '10ms' : value

/** Replaces the addresses in a body by one of this machine on which nobody listens. */
const staying = (text: string) =>
  text.replace(/(https?:\/\/)(?!127\.0\.0\.1:9|localhost:9|\[::1\]:9)[^/?#"\\\s]*/gi, '$1127.0.0.1:9')

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const send = ({ call, url, headers, body }: Sent): Promise<HttpAnswer> =>
  exchange({
    method: call.method,
    url,
    headers,
    body: body === undefined || typeof body === 'string' ? body : Buffer.from(body),
    // An advance by a day attempts every delivery of that day.
    timeoutMs: 120_000,
  })

function count(sums: Outcome['sums'], id: string, status: number) {
  const statuses = sums.get(id) ?? new Map<number, number>()
  sums.set(id, statuses.set(status, (statuses.get(status) ?? 0) + 1))
}

/** Writes a finding with the command that repeats it. */
export function tell({ n, fault, sent, answer }: Finding): string {
  const { call, url, headers, body } = sent
  const shown =
    body === undefined
      ? 'no body'
      : Buffer.from(body as string)
          .toString()
          .slice(0, 1_500)
  const outcome = answer ? `${answer.status} ${answer.body.toString().slice(0, 600)}` : 'no answer'
  return `#${n} ${call.id}: ${fault}\n  ${call.method} ${url.pathname}${url.search} ${JSON.stringify(headers)}\n  ${shown}\n  → ${outcome}`
}
