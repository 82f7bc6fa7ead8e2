import { awaitedEndpoints } from '../../service/webhooks/deliveries.ts'
import { until } from '../../waiting/until.ts'
import { Reply } from '../../words/reply.ts'
import { machineNow } from '../../world/machine-time.ts'
import type { AsyncAction } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { showEvidence, writeEvidence } from './contract.ts'
import { gather } from './gather.ts'
import { pageOf } from './page.ts'
import { scopeOf } from './scope.ts'
import { troubleIn } from './trouble.ts'

export const show: AsyncAction<typeof showEvidence> = async (world, { query: { lease, started_at } }) => {
  await attemptsEnd(world)
  return troubleIn(world, scopeOf(world, lease), started_at)
}

export const page: AsyncAction<typeof writeEvidence> = async (world, { body, caller }) => {
  const { lease, started_at, ...about } = body
  await attemptsEnd(world)
  const scope = scopeOf(world, lease)
  const trouble = troubleIn(world, scope, started_at)
  return new Reply(await pageOf(gather(world, scope, caller), trouble, about, isoTime(machineNow())))
}

/** A receiver that is slow is trouble; one that was called a moment ago is not. */
const attemptsEnd = (world: World) =>
  until({ withinMs: 100, everyMs: 5 }, () => awaitedEndpoints(world).length === 0 || undefined)
