import { type Route, route } from '../../world/noun.ts'
import { trigger as triggerAction } from './actions.ts'
import { trigger } from './contract.ts'

export const routes: readonly Route[] = [route(trigger, triggerAction)]
