import { type Noun, route } from '../world/noun.ts'
import { trigger as triggerAction } from './actions.ts'
import { trigger } from './contract.ts'

/** Moves what exists, now and by legal transitions, whatever was planned for it. */
export const triggers: Noun = { routes: [route(trigger, triggerAction)] }
