import type { ComponentType } from 'preact'
import { Agents, OneAgent } from '../agents/page.tsx'
import { BillingPage } from '../billing/page.tsx'
import { Campaigns, OneCampaign } from '../campaigns/page.tsx'
import { ComposePage } from '../compose/page.tsx'
import { OneOperation, Operations } from '../console/page.tsx'
import { Contacts, OneContact } from '../contacts/page.tsx'
import { Events, OneEvent } from '../events/page.tsx'
import { OneHandset } from '../handset/one.tsx'
import { Handsets } from '../handset/page.tsx'
import { OneMailbox } from '../mailbox/one.tsx'
import { Mailboxes } from '../mailbox/page.tsx'
import { Inbox } from '../messages/list.tsx'
import { OneMessage } from '../messages/one.tsx'
import { NetworkPage } from '../network/page.tsx'
import { OneRequest, Requests } from '../requests/page.tsx'
import { TimePage } from '../time/page.tsx'
import { WebhooksPage } from '../webhooks/page.tsx'
import { WorldsPage } from '../worlds/page.tsx'

interface Page {
  name: string
  title: string
  /** The letter after `g`. */
  key: string
  view: ComponentType
  /** The page of one record. */
  one?: ComponentType<{ id: string }>
}

/** All pages in the order of the navigation. */
export const NAVIGATION: readonly { heading: string; pages: readonly Page[] }[] = [
  {
    heading: 'Messages',
    pages: [
      { name: 'messages', title: 'Inbox', key: 'm', view: Inbox, one: OneMessage },
      { name: 'handsets', title: 'Phones', key: 'h', view: Handsets, one: OneHandset },
      { name: 'mailboxes', title: 'Mailboxes', key: 'e', view: Mailboxes, one: OneMailbox },
      { name: 'compose', title: 'Compose', key: 'p', view: ComposePage },
    ],
  },
  {
    heading: 'Simulation',
    pages: [
      { name: 'time', title: 'Time', key: 't', view: TimePage },
      { name: 'network', title: 'Network', key: 'n', view: NetworkPage },
      { name: 'worlds', title: 'Worlds', key: 'w', view: WorldsPage },
    ],
  },
  {
    heading: 'Service',
    pages: [
      { name: 'campaigns', title: 'Campaigns', key: 'c', view: Campaigns, one: OneCampaign },
      { name: 'agents', title: 'Agents', key: 'a', view: Agents, one: OneAgent },
      { name: 'contacts', title: 'Contacts', key: 'o', view: Contacts, one: OneContact },
      { name: 'billing', title: 'Billing', key: 'b', view: BillingPage },
    ],
  },
  {
    heading: 'Traffic',
    pages: [
      { name: 'events', title: 'Events', key: 'v', view: Events, one: OneEvent },
      { name: 'webhooks', title: 'Webhooks', key: 'k', view: WebhooksPage },
      { name: 'requests', title: 'Requests', key: 'r', view: Requests, one: OneRequest },
      { name: 'api', title: 'API console', key: 'i', view: Operations, one: OneOperation },
    ],
  },
]

export const PAGES: readonly Page[] = NAVIGATION.flatMap(({ pages }) => pages)

export const pageOf = (name: string): Page | undefined => PAGES.find((page) => page.name === name)
