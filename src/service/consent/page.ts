import { Reply } from '../../words/reply.ts'
import type { ChannelType, ConsentType } from '../../words/vocabulary.ts'

interface Confirmation {
  /** The link had been opened before. */
  wasConfirmed: boolean
  channelType: ChannelType
  messageType: ConsentType
}

/** What a person sees who opens a confirmation link. It loads nothing and runs nothing. */
export function confirmationPage({ wasConfirmed, channelType, messageType }: Confirmation): Reply {
  const title = wasConfirmed ? 'Already confirmed' : 'Thank you, this is confirmed'
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
  main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem }
  h1 { font-size: 1.5rem }
</style>
<main>
  <h1>${title}</h1>
  <p>You receive ${messageType} messages over ${channelType}. You can withdraw this at any time.</p>
  <p><small>A page of the messaging sandbox; no real subscription was made.</small></p>
</main>
</html>
`
  return new Reply(page, {
    headers: {
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
    },
  })
}
