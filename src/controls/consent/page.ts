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

/** The page behind a confirmation link. It loads and runs nothing. */
export function confirmationPage({ channel_type, message_type }: Subscription, stage: ConfirmationStage): Reply {
  const title = TITLES[stage]
  const what = `${message_type} messages over ${channel_type}`
  // A form without an action posts to its own URL: the link.
  const text =
    stage === 'requested'
      ? `<p>Do you want to receive ${what}?</p>\n  <form method="post"><button>Confirm</button></form>`
      : `<p>You receive ${what}. You can withdraw this at any time.</p>`
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
  main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem }
  h1 { font-size: 1.5rem }
  button { font: inherit; padding: .5rem 1.5rem }
</style>
<main>
  <h1>${title}</h1>
  ${text}
  <p><small>A page of the messaging sandbox; no real subscription was made.</small></p>
</main>
</html>
`
  return new Reply(page, {
    headers: {
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
    },
  })
}
