import { type Holder, holderOf } from '../http/port-holder.ts'
import { call, resultOf } from './call.ts'
import { operations } from './operations.ts'

/** Who uses a busy port. */
export interface PortOccupant {
  /** `Port 7270 is in use by another sandbox (process 4711, node sandbox.js).` */
  sentence: string
  /** Its process; undefined if the system does not show it. */
  holder: Holder | undefined
  isSandbox: boolean
}

export async function occupantOf(port: number): Promise<PortOccupant> {
  const [isSandbox, holder] = [await isSandboxAt(port), await holderOf(port)]
  const by = holder ? ` (process ${holder.pid}${holder.name ? `, ${holder.name}` : ''})` : ''
  const who = isSandbox
    ? `another sandbox${by}`
    : holder
      ? `${holder.name ?? 'a process'} (process ${holder.pid})`
      : 'another program'
  return { sentence: `Port ${port} is in use by ${who}.`, holder, isSandbox }
}

/** Whether a sandbox answers on a port of this machine within a second. */
export async function isSandboxAt(port: number): Promise<boolean> {
  try {
    const answer = resultOf(
      await call({ baseUrl: `http://localhost:${port}`, timeoutMs: 1_000 }, operations.world.health, {}, undefined),
    )
    return (answer as { status?: unknown })?.status === 'ok'
  } catch {
    return false
  }
}
