import type { World } from '../world/world.ts'
import { campaignStore } from './store.ts'

export const campaignsOf = (world: World) => world.store(campaignStore).list()
