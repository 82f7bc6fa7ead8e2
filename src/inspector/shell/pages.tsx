import type { ComponentType } from 'preact'
import { MessagesPage } from '../messages/page.tsx'

interface Page {
  name: string
  title: string
  /** After `g`. */
  key: string
  view: ComponentType
}

/** Every page, as the navigation lists it. */
export const NAVIGATION: readonly { heading: string; pages: readonly Page[] }[] = [
  {
    heading: 'Look',
    pages: [{ name: 'messages', title: 'Messages', key: 'm', view: MessagesPage }],
  },
]

export const pageOf = (name: string): Page | undefined =>
  NAVIGATION.flatMap(({ pages }) => pages).find((page) => page.name === name)
