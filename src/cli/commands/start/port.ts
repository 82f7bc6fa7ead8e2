import { InvalidArgumentError } from 'commander'
import { call, resultOf } from '../../../client/call.ts'
import { operations } from '../../../client/operations.ts'
import { type Fault, misconfigured } from '../../process/exit.ts'
import { holderOf } from './holder.ts'

export function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535.')
  return port
}

/** Names the holder of a busy port where it can be found. */
export async function portFault(port: number): Promise<Fault> {
  const sandbox = await sandboxAt(port)
  const holder = await holderOf(port)
  const by = holder ? ` (process ${holder.pid}${holder.name ? `, ${holder.name}` : ''})` : ''
  const who = sandbox
    ? `another sandbox${by}`
    : holder
      ? `${holder.name ?? 'a process'} (process ${holder.pid})`
      : 'another program'
  const hint = sandbox
    ? `Use that one, stop it, or start a second with --port 0 and another --data folder or --memory.`
    : 'Stop it, or start with --port 0, which takes a free one.'
  return misconfigured(`Port ${port} is in use by ${who}.`, hint, { port, holder: holder ?? null, sandbox })
}

async function sandboxAt(port: number): Promise<boolean> {
  try {
    const answer = resultOf(
      await call({ baseUrl: `http://localhost:${port}`, timeoutMs: 1_000 }, operations.world.health, {}, undefined),
    )
    return (answer as { status?: unknown })?.status === 'ok'
  } catch {
    return false
  }
}
