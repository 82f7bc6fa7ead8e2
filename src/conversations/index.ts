import type { Noun } from '../world/noun.ts'
import { endSession } from './actions.ts'
import { tables } from './store.ts'

export const conversations: Noun = { tables, inside: { 'conversation.end': endSession } }
