import { join } from 'node:path'
import { latencies, median, type Request, send } from './load.ts'
import { type Running, startSandbox } from './processes.ts'

const keyOf = (n: number) => `sk_sandbox_suite-${n}`

/** Measures the time, ms, that the first request of a namespace takes beyond the second, which finds it made. */
export async function makingOfOne(...flags: string[]): Promise<{ making: number; asking: number }> {
  const sandbox = await startSandbox('--no-rate-limit', '--max-open-namespaces', '1000', ...flags)
  const requests = Array.from({ length: 30 }, (_, n) => ({ method: 'GET', path: '/_sandbox/clock', key: keyOf(n) }))
  await latencies(sandbox.port, [{ method: 'GET', path: '/_sandbox/clock', key: 'sk_sandbox_warm' }])
  const first = median(await latencies(sandbox.port, requests))
  const asking = median(await latencies(sandbox.port, requests))
  await sandbox.stop()
  return { making: Math.max(0, first - asking), asking }
}

/** Measures resident memory, bytes, before and after this number of namespaces is used in parallel. */
export async function memoryOfMany(count: number, messages: number, request: Request) {
  const sandbox = await startSandbox('--memory', '--no-rate-limit')
  const before = sandbox.memory()
  await Promise.all(Array.from({ length: count }, (_, n) => use(sandbox, messages, { ...request, key: keyOf(n) })))
  const after = sandbox.memory()
  await sandbox.stop()
  return { before, after }
}

async function use({ port }: Running, messages: number, sending: Request) {
  const { key } = sending
  await send(port, sending, 1, messages)
  for (const path of ['/v1/messages', '/v1/billing/transactions', '/_sandbox/events', '/_sandbox/clock'])
    await send(port, { method: 'GET', path, key }, 1, 1)
}

/** Measures the restore in memory of a world with this number of messages, ms. */
export async function restoring(messages: number, request: Request): Promise<number> {
  const sandbox = await startSandbox('--memory', '--no-rate-limit', '--clock', 'frozen')
  const { port } = sandbox
  await send(port, request, 1, messages)
  await send(port, { method: 'POST', path: '/_sandbox/clock/advance', body: '{"by":"1m"}' }, 1, 1)
  await send(port, { method: 'POST', path: '/_sandbox/snapshots', body: '{"name":"one"}' }, 1, 1)
  const restore = { method: 'POST', path: '/_sandbox/snapshots/one/restore' }
  const times = await latencies(
    port,
    Array.from({ length: 40 }, () => restore),
  )
  await sandbox.stop()
  return median(times.slice(5))
}

/** Options for a data folder of its own below another folder. */
export const dataIn = (folder: string) => ['--data', join(folder, `namespaces-${Math.round(performance.now())}`)]
