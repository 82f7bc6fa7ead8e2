import { type Route, route } from '../../world/noun.ts'
import { trigger } from './actions.ts'
import { triggerEvent } from './contract.ts'

export const routes: readonly Route[] = [route(triggerEvent, trigger)]
