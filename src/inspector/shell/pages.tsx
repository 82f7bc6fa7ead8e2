import type { ComponentType } from 'preact'
import { AgentsPage } from '../agents/page.tsx'
import { BillingPage } from '../billing/page.tsx'
import { CampaignsPage } from '../campaigns/page.tsx'
import { ContactsPage } from '../contacts/page.tsx'
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
    heading: 'Look',
    pages: [
      { name: 'messages', title: 'Messages', key: 'm', view: MessagesPage },
      { name: 'handsets', title: 'Handsets', key: 'h', view: HandsetsPage },
      { name: 'mailboxes', title: 'Mailboxes', key: 'e', view: MailboxesPage },
    ],
  },
  {
    heading: 'Time and chance',
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
      { name: 'contacts', title: 'Consent', key: 'o', view: ContactsPage },
      { name: 'billing', title: 'Billing', key: 'b', view: BillingPage },
    ],
  },
  {
    heading: 'Traffic',
    pages: [
      { name: 'webhooks', title: 'Webhooks', key: 'k', view: WebhooksPage },
      { name: 'requests', title: 'Requests', key: 'r', view: RequestsPage },
    ],
  },
]

export const pageOf = (name: string): Page | undefined =>
  NAVIGATION.flatMap(({ pages }) => pages).find((page) => page.name === name)
