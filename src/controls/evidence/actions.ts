import { Reply } from '../../words/reply.ts'
import { machineNow } from '../../world/machine-time.ts'
import type { Action, AsyncAction } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { showEvidence, writeEvidence } from './contract.ts'
import { gather } from './gather.ts'
import { pageOf } from './page.ts'
import { scopeOf } from './scope.ts'
import { troubleIn } from './trouble.ts'

export const show: Action<typeof showEvidence> = (world, { query: { lease, started_at } }) =>
  troubleIn(world, scopeOf(world, lease), started_at)

export const page: AsyncAction<typeof writeEvidence> = async (world, { body, caller }) => {
  const { lease, started_at, ...about } = body
  const scope = scopeOf(world, lease)
  const trouble = troubleIn(world, scope, started_at)
  return new Reply(await pageOf(gather(world, scope, caller), trouble, about, isoTime(machineNow())))
}
