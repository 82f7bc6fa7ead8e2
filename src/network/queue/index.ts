import type { Noun } from '../../world/noun.ts'
import { tables } from './store.ts'

/** Messages that wait for a carrier or a phone, by their ids. */
export const noun: Noun = { tables }
