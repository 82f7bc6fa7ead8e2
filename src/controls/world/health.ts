import { VERSION } from '../../words/version.ts'
import type { Action } from '../../world/noun.ts'
import { reading } from '../clock/actions.ts'
import type { showHealth } from './contract.ts'

export const health: Action<typeof showHealth> = (world, { caller }) => ({
  status: 'ok',
  version: VERSION,
  namespace_count: caller.tenant === undefined ? world.host.count : 1,
  clock: reading(world),
})
