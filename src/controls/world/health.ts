import { VERSION } from '../../words/version.ts'
import type { Action } from '../../world/noun.ts'
import { reading } from '../clock/actions.ts'
import type { showHealth } from './contract.ts'

export const health: Action<typeof showHealth> = (world) => ({
  status: 'ok',
  version: VERSION,
  namespace_count: world.host.count,
  clock: reading(world),
})
