import type { ComponentType } from 'preact'
import { AgentsPage } from '../agents/page.tsx'
import { BillingPage } from '../billing/page.tsx'
import { CampaignsPage } from '../campaigns/page.tsx'
import { ComposePage } from '../compose/page.tsx'
import { ConsolePage } from '../console/page.tsx'
import { ContactsPage } from '../contacts/page.tsx'
import { EventsPage } from '../events/page.tsx'
import { HandsetsPage } from '../handset/page.tsx'
import { MailboxesPage } from '../mailbox/page.tsx'
import { MessagesPage } from '../messages/page.tsx'
import { NetworkPage } from '../network/page.tsx'
import { RequestsPage } from '../requests/page.tsx'
import { TimePage } from '../time/page.tsx'
import { WebhooksPage } from '../webhooks/page.tsx'
import { WorldsPage } from '../worlds/page.tsx'

interface Page {
  name: string
  title: string
  /** The letter after `g`. */
  key: string
  view: ComponentType
}

/** All pages in the order of the navigation. */
export const NAVIGATION: readonly { heading: string; pages: readonly Page[] }[] = [
  {
    heading: 'Messages',
    pages: [
      { name: 'messages', title: 'Inbox', key: 'm', view: MessagesPage },
      { name: 'handsets', title: 'Phones', key: 'h', view: HandsetsPage },
      { name: 'mailboxes', title: 'Mailboxes', key: 'e', view: MailboxesPage },
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
      { name: 'campaigns', title: 'Campaigns', key: 'c', view: CampaignsPage },
      { name: 'agents', title: 'Agents', key: 'a', view: AgentsPage },
      { name: 'contacts', title: 'Contacts', key: 'o', view: ContactsPage },
      { name: 'billing', title: 'Billing', key: 'b', view: BillingPage },
    ],
  },
  {
    heading: 'Traffic',
    pages: [
      { name: 'events', title: 'Events', key: 'v', view: EventsPage },
      { name: 'webhooks', title: 'Webhooks', key: 'k', view: WebhooksPage },
      { name: 'requests', title: 'Requests', key: 'r', view: RequestsPage },
      { name: 'api', title: 'API console', key: 'i', view: ConsolePage },
    ],
  },
]

export const PAGES: readonly Page[] = NAVIGATION.flatMap(({ pages }) => pages)

export const pageOf = (name: string): Page | undefined => PAGES.find((page) => page.name === name)
