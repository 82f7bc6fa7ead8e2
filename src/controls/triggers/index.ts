import { type Noun, route } from '../../world/noun.ts'
import { trigger } from './actions.ts'
import { triggerEvent } from './contract.ts'

export const noun: Noun = { routes: [route(triggerEvent, trigger)] }
