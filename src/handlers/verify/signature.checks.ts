import { oddlySpelled } from '../../service/webhooks/spelling.ts'
import { isAccepted, isRefused, worthlessSignatures } from '../post.ts'
import { type Check, type CheckOutcome, type CheckTools, judgeAnswers } from './check.ts'

const FORGED = 'Otherwise anybody who knows the URL can send your application a false read receipt or a false STOP.'

/** Posts an event with a wrong signature, which must be refused. */
const refuses = (
  name: string,
  what: string,
  why: string,
  remedy: string,
  signatureOf: (tools: CheckTools, body: string) => string | null | Promise<string | null>,
): Check => ({
  name,
  group: 'signature',
  claim: `Refuses ${what} with 4xx`,
  why,
  remedy,
  async run(tools) {
    const event = tools.samples.event('message.delivered')
    const signature = await signatureOf(tools, event.body)
    return judgeAnswers(`message.delivered with ${what}`, [await tools.post(event, { signature })], isRefused)
  },
})

const NO_OLD_SECRET: CheckOutcome = {
  outcome: 'skipped',
  sent: '',
  received: 'needs the secret before the last rotation: --old-secret',
}

export const signatureChecks: readonly Check[] = [
  refuses(
    'signature-missing',
    'a missing signature',
    FORGED,
    'Answer 401 if the header is missing, before you read anything else.',
    worthlessSignatures.unsigned,
  ),
  refuses(
    'signature-empty',
    'an empty signature',
    FORGED,
    'Compare with the whole expected value, and answer 401 if the lengths differ.',
    worthlessSignatures.empty,
  ),
  refuses(
    'signature-wrong',
    'a signature by another secret',
    FORGED,
    'Compute the HMAC-SHA256 of the raw body with your secret, and answer 401 if the header differs.',
    (tools, body) => tools.sign(body, 'not the secret'),
  ),
  refuses(
    'signature-truncated',
    'the first half of the right signature',
    'If the handler compares prefixes, an attacker can guess byte by byte. A comparison that throws on unequal lengths answers 500.',
    'Compare lengths first, then the bytes in constant time (timingSafeEqual, hmac.compare_digest).',
    (tools, body) => worthlessSignatures.truncated(tools.sign(body)),
  ),
  refuses(
    'signature-of-another-body',
    'the signature of an earlier event',
    FORGED,
    'Compute the signature of the received body; never look a signature up in a list.',
    async (tools) => {
      const earlier = tools.samples.event('message.delivered')
      const signature = tools.sign(earlier.body)
      await tools.post(earlier, { signature })
      return signature
    },
  ),
  {
    name: 'signature-reserialised',
    group: 'signature',
    claim: 'Refuses JSON that was serialised again after signing, with 4xx',
    why: 'The signature covers the bytes. A handler that parses and serialises before it verifies accepts a body that was changed on the way.',
    remedy: 'Verify the raw bytes (express.raw, a content type parser with parseAs: buffer), and parse afterwards.',
    async run(tools) {
      const event = tools.samples.event('message.delivered')
      const signature = tools.sign(event.body)
      const answer = await tools.post(
        { ...event, body: JSON.stringify(JSON.parse(event.body), null, 1) },
        { signature },
      )
      return judgeAnswers('message.delivered, serialised again after it was signed', [answer], isRefused)
    },
  },
  {
    name: 'signature-unusual-json',
    group: 'signature',
    claim: 'Accepts signed JSON with unusual white space, escapes and order of fields',
    why: 'A handler that verifies JSON after parsing and serialising it refuses the first event that the service formats differently.',
    remedy: 'Verify the raw bytes (express.raw, a content type parser with parseAs: buffer), and parse afterwards.',
    async run(tools) {
      const event = tools.samples.event('message.delivered')
      const answer = await tools.post({ ...event, body: oddlySpelled(event.body) })
      return judgeAnswers('a signed message.delivered in unusual spelling', [answer], isAccepted)
    },
  },
  {
    name: 'signature-old-secret',
    group: 'signature',
    claim: 'Refuses the secret before the last rotation with 4xx',
    why: 'A secret may be rotated because it leaked, so the old one must be worthless.',
    remedy:
      'Accept the old secret only until each server has the new one. Then remove it; the service signs with the new one at once.',
    async run(tools) {
      if (tools.oldSecret === undefined) return NO_OLD_SECRET
      const event = tools.samples.event('message.delivered')
      const signature = tools.sign(event.body, tools.oldSecret)
      return judgeAnswers(
        'message.delivered signed with the old secret',
        [await tools.post(event, { signature })],
        isRefused,
      )
    },
  },
]
