import { VERSION } from '../../words/version.ts'
import type { Action } from '../../world/noun.ts'
import { reading } from '../clock/actions.ts'
import type { health } from './contract.ts'

export const showHealth: Action<typeof health> = (world) => ({
  status: 'ok',
  version: VERSION,
  namespace_count: world.host.count,
  clock: reading(world),
})
