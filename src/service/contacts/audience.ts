import type { World } from '../../world/world.ts'
import { contactStore } from './store.ts'

/** Counts the contacts that carry a tag; all of them without one. */
export const countContacts = (world: World, tag: string | undefined): number =>
  world.store(contactStore).count(tag ?? null)

/** The next contacts with a tag (or all) after a place in the order they were made, so that many are read in parts. */
export const contactsAfter = (world: World, seq: number, tag: string | undefined, limit: number) =>
  world.store(contactStore).after(seq, tag ?? null, limit)
