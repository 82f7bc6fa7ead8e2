import type { ComponentType } from 'preact'
import type { InspectorPage } from '../../words/inspector-page.ts'
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
import { Messages } from '../messages/list.tsx'
import { OneMessage } from '../messages/one.tsx'
import { NetworkPage } from '../network/page.tsx'
import { OneRequest, Requests } from '../requests/page.tsx'
import { TimePage } from '../time/page.tsx'
import { WebhooksPage } from '../webhooks/page.tsx'
import { WorldsPage } from '../worlds/page.tsx'

interface Page {
  name: InspectorPage
  title: string
  /** The letter after `g`. */
  key: string
  view: ComponentType
  /** The page of one record. */
  one?: ComponentType<{ id: string }>
}

/** Icons of the pages: paths of 16 by 16. */
export const ICONS: Readonly<Record<InspectorPage, string>> = {
  messages: 'M2 9l2-6h8l2 6v4H2zM2 9h3.5l1 2h3l1-2H14',
  handsets: 'M5 1.5h6a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM7 12.5h2',
  mailboxes: 'M2 3.5h12v9H2zM2 4l6 5 6-5',
  compose: 'M3 13.5h10M4 10.5l6.5-7.5 2 2L6 11.5l-2.5.5z',
  time: 'M8 2a6 6 0 1 0 .01 0zM8 5v3.2l2.2 1.6',
  network: 'M3 13v-3M6.3 13V8M9.7 13V5.5M13 13V3',
  worlds: 'M8 2a6 6 0 1 0 .01 0zM2 8h12M8 2c3.5 4 3.5 8 0 12M8 2c-3.5 4-3.5 8 0 12',
  campaigns: 'M3 6.5v3l2 .3 7 3V3.2l-7 3zM5.5 10v3.5h2V11',
  agents: 'M3 6h10v7H3zM8 6V3M6 9.2v.6M10 9.2v.6',
  contacts: 'M8 8a2.7 2.7 0 1 0-.01 0zM3 14c.4-2.7 2.4-4 5-4s4.6 1.3 5 4',
  billing: 'M2 3.5h12v9H2zM2 6.5h12M4.5 10h3',
  events: 'M6 4h8M6 8h8M6 12h8M2.5 4h.5M2.5 8h.5M2.5 12h.5',
  webhooks: 'M2 8h8M7 4.5L10.5 8 7 11.5M13.5 3v10',
  requests: 'M4.5 13V3M2 5.5L4.5 3 7 5.5M11.5 3v10M9 10.5l2.5 2.5 2.5-2.5',
  api: 'M5 4L1.5 8 5 12M11 4l3.5 4L11 12M9.2 3L6.8 13',
}

/** All pages in the order of the navigation. */
export const NAVIGATION: readonly { heading: string; pages: readonly Page[] }[] = [
  {
    heading: 'Messages',
    pages: [
      { name: 'messages', title: 'Messages', key: 'm', view: Messages, one: OneMessage },
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
