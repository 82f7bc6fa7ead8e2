import { LINK_PAGE_HEADERS, linkPage } from '../../words/link-page.ts'
import { Reply } from '../../words/reply.ts'
import type { ChannelType, ConsentType } from '../../words/vocabulary.ts'

interface Subscription {
  channel_type: ChannelType
  message_type: ConsentType
}

/** The page asks, has just been confirmed, or was confirmed before. */
type ConfirmationStage = 'requested' | 'confirmed' | 'confirmed before'

const TITLES: Readonly<Record<ConfirmationStage, string>> = {
  requested: 'Please confirm',
  confirmed: 'Thank you, this is confirmed',
  'confirmed before': 'Already confirmed',
}

export function confirmationPage({ channel_type, message_type }: Subscription, stage: ConfirmationStage): Reply {
  const title = TITLES[stage]
  const what = `${message_type} messages over ${channel_type}`
  // A form without an action posts to its own URL: the link.
  const text =
    stage === 'requested'
      ? `<p>Do you want to receive ${what}?</p>\n  <form method="post"><button>Confirm</button></form>`
      : `<p>You receive ${what}. You can withdraw this at any time.</p>`
  return new Reply(linkPage(title, text), { headers: LINK_PAGE_HEADERS })
}
